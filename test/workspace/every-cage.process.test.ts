import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Attacks on every cage, by root's commands and by those of a user without rights: each prints its name where it succeeds. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const base = mkdtempSync("/tmp/probe-cages-");
// Where root may write, the places that a cage shows, or leaves empty, are the ones to try.
const [sockets, data] = isRoot
  ? ["/run", "/opt"].map((path) => mkdtempSync(`${path}/probe-test-`))
  : [`${base}/run`, `${base}/data`];
const socket = `${sockets}/daemon.sock`;
const abstract = `probe-test-${process.pid}`;
const servers: Server[] = [];
let connections = 0;
const decoy = spawn("/bin/sleep", ["1000"], { env: { DECOY: "of-a-process" } });

/** Opened for writing and not written: were it possible, nothing would be changed. */
const KERNEL =
  "/proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/kcore";

const script = (home: string, port: number) => `
try() { name=$1; shift; "$@" >/dev/null 2>&1 && echo "$name"; }
connect() { node -e "require('node:net').connect($1).on('connect', () => process.exit(0)).on('error', () => process.exit(1))"; }
opens() { true >> "$1"; }
looks() { [ -n "$(ls -A "$1")" ]; }
has() { grep -rqs "$1" $2; }
syscall() { perl -e 'my ($n, $a, $type, $name) = (@ARGV, "user", "decoy"); exit(syscall($n + 0, $a + 0, -4, $type, $name, 0) < 0)' "$@"; }
# A call by its arguments: F is a file, M a piece of memory.
made() { perl -e 'open F, "/bin/sh"; my $m = "m" x 4096; my %at = (F => fileno(F), M => pack("PQx4096", $m, 1));
  my $got = syscall(shift() + 0, map { $at{$_} // $_ + 0 } @ARGV); exit($got < 0 && ($! == 1 || $! == 38))' "$@"; }
try socket connect '"${socket}"'
try abstract connect '{path:"\\0${abstract}"}'
try port connect '${port}'
for at in ${KERNEL}; do try "setting $at" opens $at; done
for at in /x /usr/x /opt/x /etc/x /usr/bin/sh; do try "write $at" opens $at; done
for at in /dev/kmsg /dev/mem /dev/sda /dev/vda /dev/kvm /dev/fuse; do try "device $at" test -e $at; done
# A home of its own, or none: what is written to it is looked at from outside.
for at in ${home}/.bashrc ${home}/../x; do (echo x >> $at) 2>/dev/null; done
try key has decoy-key ${home}
try parent has decoy-key /proc/1/root${home}
try data has decoy-data ${data}
try names looks ${data}/tasks
try environment has decoy /proc/${decoy.pid}/environ
try signal kill -0 ${decoy.pid}
try descriptor has decoy-open /proc/self/fd/
try passwords cat /etc/shadow
try device mknod node b 8 0
try mount mount -t tmpfs x /mnt
try chroot chroot / true
for own in -Urm -Um; do try "memory $own" unshare $own mount -n -t tmpfs -o size=20G none /tmp; done
try log dmesg
[ "$(uname -m)" = x86_64 ] && { try keyring syscall 250 0; try counters syscall 298 0; try rings syscall 425 0; }
# What one cage leaves in the kernel's memory of files, and another finds there.
[ "$(uname -m)" = x86_64 ] && {
  for call in "221 F 0 0 4" "187 F 0 4096" "27 0 4096 M" "451 F M M 0" "327 F M 1 0 0 8" "28 0 4096 21" "206 1 M" "440 F M 1 21 0"
  do try "kept $call" made $call; done
  made 327 F M 1 0 0 0 && made 28 0 4096 4 && echo plain; }
try address ip link add decoy type dummy
grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t' | tr '\\n' ' '
grep -E '^Max (open files|processes)' /proc/self/limits | sed 's/  .*//' | tr '\\n' ' '
grep -E '^Max (open files|processes)' /proc/self/limits | grep -o '[0-9]*' | tr '\\n' ' '
tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '
`;

/** What the cage's command says, in the cage of a process of that user. */
function attack(sandbox: string, who: "root" | "user") {
  const place = mkdtempSync(join(base, `${sandbox}-${who}-`));
  const home = join(place, "home");
  for (const path of ["home/.ssh", "tree", "out"]) mkdirSync(join(place, path), { recursive: true });
  writeFileSync(join(home, ".ssh/id"), "decoy-key");
  writeFileSync(join(home, ".bashrc"), "decoy-start\n");
  writeFileSync(join(place, "open"), "decoy-open");
  if (isRoot && who === "user")
    for (const path of [
      place,
      ...["home", "home/.ssh", "home/.ssh/id", "home/.bashrc", "tree", "out"].map((name) => join(place, name)),
    ])
      chownSync(path, NOBODY, NOBODY);
  const port = servers
    .map((server) => server.address())
    .flatMap((at) => (at !== null && typeof at === "object" ? [at.port] : []))[0];
  const program = `
    import { openCage } from ${JSON.stringify(join(import.meta.dirname, "../../dist/src/workspace/cage.js"))};
    const cage = await openCage({ sandbox: "${sandbox}", hidden: ["${data}/tasks"] }).catch((error) => ({ error: error.message }));
    if (cage.error) { console.log("none", cage.error); process.exit(0); }
    const env = { PATH: process.env.PATH, LD_DEBUG: "libs", LD_DEBUG_OUTPUT: "${place}/loaded" };
    const command = { argv: ["/bin/sh", "-c", ${JSON.stringify(script(home, port ?? 0))}], cwd: "${place}/tree", env, limitMs: 60000 };
    const places = { workspace: "${place}/tree", writesWorkspace: true, writes: ["${place}/out"], reads: [], network: false };
    const { end, output } = await cage.run(command, places, new AbortController().signal);
    console.log(end, output);`;
  const ids =
    isRoot && who === "user" ? ["setpriv", "--reuid", `${NOBODY}`, "--regid", `${NOBODY}`, "--clear-groups"] : [];
  const [file = "", ...args] = [...ids, process.execPath, "--input-type=module", "-e", program];
  const said = execFileSync(file, args, {
    env: { PATH: process.env["PATH"], HOME: home },
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit", openSync(join(place, "open"), "r")],
  }).toString();
  return {
    said: said.replace(/\s+/g, " ").trim(),
    outside: [readFileSync(join(home, ".bashrc"), "utf8"), ...readdirSync(place).toSorted()],
  };
}

beforeAll(async () => {
  chmodSync(base, 0o777);
  for (const path of [sockets, `${data}/tasks`, `${data}/.git`]) mkdirSync(path ?? "", { recursive: true });
  for (const name of [".env", ".git/gold.patch", "tasks/hidden.test.js"])
    writeFileSync(`${data}/${name}`, "decoy-data");
  for (const at of [{ path: socket }, { path: `\0${abstract}` }, { host: "127.0.0.1", port: 0 }]) {
    const server = createServer(() => connections++);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(at, resolve));
  }
  if (isRoot) execFileSync("chmod", ["-R", "a+rwX", `${sockets}`, `${data}`]);
});

afterAll(() => {
  for (const server of servers) server.close();
  decoy.kill("SIGKILL");
  for (const path of [base, sockets, data]) rmSync(path ?? "", { recursive: true, force: true });
});

describe.each(["bwrap", "podman"])("a command in %s", (sandbox) => {
  it.each(isRoot ? (["root", "user"] as const) : (["user"] as const))(
    "reaches, reads and changes nothing outside: %s's",
    (who) => {
      const { said, outside } = attack(sandbox, who);
      if (said.startsWith("none ")) {
        process.stdout.write(`Skipping ${sandbox} by ${who}: ${said}\n`);
        return;
      }
      expect(said).toBe(
        `exited ${process.arch === "x64" ? "plain " : ""}CapEff:0000000000000000 NoNewPrivs:1 Seccomp:2 Max processes Max open files 4096 4096 4096 4096 lo`,
      );
      expect(connections).toBe(0);
      expect(outside).toEqual(["decoy-start\n", "home", "open", "out", "tree"]);
    },
  );
});
