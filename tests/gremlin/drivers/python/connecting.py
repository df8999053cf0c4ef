"""How to connect: for traversals, for scripts, in a session; in the format of the program's argument."""

from contextlib import contextmanager

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.serializer import GraphBinarySerializersV1, GraphSONSerializersV3d0
from gremlin_python.process.anonymous_traversal import traversal

FORMATS = {"graphbinary": GraphBinarySerializersV1, "graphson": GraphSONSerializersV3d0}


class Server:
    """A server, and the format that is spoken with it."""

    def __init__(self, url, format, **options):
        self.url = url
        self.format = format
        self.options = options

    @contextmanager
    def connection(self):
        """What traversals are sent over."""
        connection = DriverRemoteConnection(
            self.url, "g", message_serializer=FORMATS[self.format](), **self.options)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def traversals(self):
        """The source of traversals."""
        with self.connection() as connection:
            yield traversal().with_remote(connection)

    @contextmanager
    def client(self, **options):
        """What scripts are sent over; `session` names a session."""
        client = Client(self.url, "g", message_serializer=FORMATS[self.format](),
                        **self.options, **options)
        try:
            yield client
        finally:
            client.close()
