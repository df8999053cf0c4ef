"""The cases that `peer.py` asks two servers."""
