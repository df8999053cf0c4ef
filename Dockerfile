# docker build -t millrace . && docker run -p 127.0.0.1:7280:7280 -p 127.0.0.1:7243:7243 -p 127.0.0.1:8182:8182 -v millrace:/data millrace
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --package millrace-cli

FROM debian:bookworm-slim
RUN useradd --system --uid 7243 --no-create-home millrace \
    && install -d -o millrace -g millrace -m 0750 /data
COPY --from=build /src/target/dist/millrace /usr/bin/millrace
COPY LICENSE /usr/share/doc/millrace/copyright
USER millrace
VOLUME /data
EXPOSE 7280 7243 8182
STOPSIGNAL SIGTERM
# Inside of the container every address is the container's own: what reaches it is said by `docker run -p`.
# To open it to other machines, mount a file of users and add --set users.file=FILE.
ENTRYPOINT ["/usr/bin/millrace"]
CMD ["serve", "--data", "/data", "--listen", "admin=0.0.0.0:7280", "--listen", "lua=0.0.0.0:7243", "--listen", "gremlin=0.0.0.0:8182", "--set", "listen.allow-open=true"]
