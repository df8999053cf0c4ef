# docker build -t millrace .
# docker run --name millrace --stop-timeout 300 --ulimit nofile=65536:65536 -p 127.0.0.1:7280:7280 -p 127.0.0.1:7687:7687 -p 127.0.0.1:7474:7474 -p 127.0.0.1:8182:8182 -p 127.0.0.1:7243:7243 -p 127.0.0.1:8080:8080 -p 127.0.0.1:9080:9080 -v millrace:/data -v millrace-etc:/etc/millrace millrace
# A folder of the host in place of a volume has to belong to the user of the server: chown 7243:7243.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked --package millrace-cli \
    && cargo xtask notices --to target/THIRD-PARTY-NOTICES

FROM debian:bookworm-slim
RUN useradd --system --uid 7243 --no-create-home millrace \
    && install -d -o millrace -g millrace -m 0750 /data /etc/millrace
COPY --from=build /src/target/dist/millrace /usr/bin/millrace
COPY --chmod=0755 packaging/container-health /usr/lib/millrace/container-health
COPY --from=build /src/target/THIRD-PARTY-NOTICES /usr/share/doc/millrace/
COPY LICENSE /usr/share/doc/millrace/copyright
USER millrace
# The data; and the file of users, whose owner has to be the user of the server.
VOLUME /data /etc/millrace
# administration, Bolt, Neo4j's HTTP interface, Gremlin, Lua, Dgraph's HTTP and gRPC
EXPOSE 7280 7687 7474 8182 7243 8080 9080
STOPSIGNAL SIGTERM
# A server answers once it has recovered its data folder, which may take minutes after a kill.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m CMD ["/usr/lib/millrace/container-health", "7280"]
# Inside of the container every address is the container's own: what reaches it is said by `docker run -p`.
# Before other machines reach it, add users (the same volumes, then a restart with the setting):
#   docker run --rm -it -v millrace-etc:/etc/millrace millrace users add ann --file /etc/millrace/users
#   docker run … -e MILLRACE_USERS__FILE=/etc/millrace/users …
# Every setting is such a variable: arguments behind the name of the image would replace those of CMD.
ENTRYPOINT ["/usr/bin/millrace"]
CMD ["serve", "--data", "/data", "--listen", "admin=0.0.0.0:7280", "--listen", "bolt=0.0.0.0:7687", "--listen", "neo4j-http=0.0.0.0:7474", "--listen", "gremlin=0.0.0.0:8182", "--listen", "lua=0.0.0.0:7243", "--listen", "dql=0.0.0.0:8080", "--listen", "dql-grpc=0.0.0.0:9080", "--set", "listen.allow-open=true"]
