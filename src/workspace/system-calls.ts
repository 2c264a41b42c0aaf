/** Machine words of an architecture and of its 32-bit programs, and the system calls that no caged command may make. */
interface Architecture {
  /** As the kernel's audit names it. */
  readonly audit: number;
  /** Keys of the kernel's keyrings, its log, programs and counters in it, faults of memory, rings of requests. */
  readonly refused: readonly number[];
}

const RINGS = [425, 426, 427];
const X86_64 = { audit: 0xc000003e, refused: [103, 248, 249, 250, 298, 321, 323, ...RINGS] };
const I386 = { audit: 0x40000003, refused: [103, 286, 287, 288, 336, 357, 374, ...RINGS] };
const ARM_64 = { audit: 0xc00000b7, refused: [116, 217, 218, 219, 241, 280, 282, ...RINGS] };
const ARM = { audit: 0x40000028, refused: [103, 309, 310, 311, 364, 386, 388, ...RINGS] };

const ARCHITECTURES: Readonly<Record<string, readonly Architecture[]>> = { x64: [X86_64, I386], arm64: [ARM_64, ARM] };

const [LOAD, EQUALS, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [NUMBER, AUDIT] = [0, 4];
/** Numbers from here on are those of a third kind of programs, with tables of its own. */
const OTHER_TABLE = 0x40000000;
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050001];

/** A step of the kernel's filter: steps to skip where a comparison holds, and where it does not. */
type Step = readonly [code: number, value: number, then?: number, otherwise?: number];

/**
 * A filter of system calls, as bubblewrap reads it: of keys and of what has often been a way into the kernel. Refused calls
 * fail with EPERM, and all of another architecture.
 * @returns `null` on a machine whose numbers are not known here
 */
export function callFilter(architecture: string = process.arch): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const steps: Step[] = [...known.flatMap(stepsOf), [RETURN, REFUSE]];
  const program = Buffer.alloc(steps.length * 8);
  for (const [i, [code, value, then = 0, otherwise = 0]] of steps.entries()) {
    program.writeUInt16LE(code, i * 8);
    program.writeUInt8(then, i * 8 + 2);
    program.writeUInt8(otherwise, i * 8 + 3);
    program.writeUInt32LE(value, i * 8 + 4);
  }
  return program;
}

function stepsOf({ audit, refused }: Architecture): Step[] {
  // Behind the tests come two ends: allowed, and refused.
  const tests = [[AT_LEAST, OTHER_TABLE] as const, ...refused.map((number) => [EQUALS, number] as const)];
  const steps = tests.map(([code, value], i): Step => [code, value, tests.length - i]);
  const block: Step[] = [[LOAD, NUMBER], ...steps, [RETURN, ALLOW], [RETURN, REFUSE]];
  return [[LOAD, AUDIT], [EQUALS, audit, 0, block.length], ...block];
}
