/**
 * Asks for permission before programs named in a folder's files are started, or data is sent to
 * their addresses. It is asked once for a folder and its content: at a terminal by y or n,
 * elsewhere through `--trust`. `--trust-base` permits what the same file contained in a commit.
 * Without permission nothing is started or sent.
 */
import { createInterface } from 'node:readline/promises';
import { cleanText, type ThingToTrust } from '@proofmark/domain';
import type { Command } from 'commander';
import { printNotice } from '../output.ts';
import { UsageProblem } from '../remote/exit-codes.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { wrapped } from '../remote/wrap-line.ts';
import { readAtCommit } from './read-at-commit.ts';
import { hashOf, rememberTrust, untrustedOf } from './trust-file.ts';

export interface TrustFlags {
  readonly trust?: true;
  /** A commit; the file's things that it states are trusted for this call. */
  readonly trustBase?: string;
}

export interface Asked {
  /** The name of the file that names the programs or addresses, for messages. */
  readonly where: string;
  readonly folder: string;
  /** Reads the things that the content of the same file states, for `--trust-base`. */
  readonly statedAt?: ((content: string) => Promise<readonly ThingToTrust[]>) | undefined;
  /**
   * A sentence about another permission that is asked for later. `--trust` grants both, so the
   * error must show both.
   */
  readonly also?: string | undefined;
}

/** The user's answer; without a terminal the question is not asked. */
type Answer = 'yes' | 'no' | 'not asked';

export function withTrustFlag(command: Command): Command {
  return command
    .option('--trust', 'allow what the files of this folder start and send, and remember it')
    .option(
      '--trust-base <commit>',
      'allow the programs that the same file had in this commit, such as the base of a pull request',
    );
}

/** Returns the things that the file did not already state in the commit of `--trust-base`. */
async function withoutThoseOfRef(
  things: readonly ThingToTrust[],
  { where, statedAt }: Asked,
  { trustBase }: TrustFlags,
): Promise<readonly ThingToTrust[]> {
  if (trustBase === undefined || statedAt === undefined) return things;
  const content = readAtCommit(where, trustBase);
  if (content === undefined) return things;
  const stated = new Set((await statedAt(content)).map(hashOf));
  return things.filter((thing) => !stated.has(hashOf(thing)));
}

export async function requireTrust(
  things: readonly ThingToTrust[],
  asked: Asked,
  flags: TrustFlags,
): Promise<void> {
  const untrusted = untrustedOf(things, asked.folder, process.env);
  if (untrusted.length === 0 || agreesForOnce()) return;
  const unknown = await withoutThoseOfRef(untrusted, asked, flags);
  if (unknown.length === 0) return;
  const shown = unknown.map((thing) => cleanText(thing.shown, false));
  if (!flags.trust) {
    const answer = await askToAgree(shown, asked.where);
    if (answer === 'no') throw new UsageProblem(notAgreed(asked.where));
    if (answer === 'not asked') {
      // Each item is printed on lines of its own: the user must see the whole text that they
      // permit, and an error message would be cut.
      for (const one of shown) printNotice(`${asked.where} ${one}.`);
      if (asked.also !== undefined) printNotice(`${asked.also}.`);
      throw new UsageProblem(
        `${asked.where} is not trusted here, so nothing was started or sent. Allow it with --trust, which is remembered for this folder until the files change, or once with PROOFMARK_TRUST=1.`,
      );
    }
  }
  rememberTrust(unknown, asked.folder, process.env);
}

/** Returns the items that this user has already permitted, by the flag or earlier. */
export function trustedAlready<Thing extends ThingToTrust>(
  things: readonly Thing[],
  folder: string,
  flags: TrustFlags,
): readonly Thing[] {
  if (things.length === 0 || agreesForOnce()) return things;
  const unknown = new Set(untrustedOf(things, folder, process.env));
  if (!flags.trust) return things.filter((thing) => !unknown.has(thing));
  rememberTrust([...unknown], folder, process.env);
  return things;
}

export function agreesForOnce(): boolean {
  return process.env['PROOFMARK_TRUST'] === '1';
}

export function notAgreed(where: string): string {
  return `Nothing was started or sent, because you did not agree to ${where}.`;
}

export async function askToAgree(shown: readonly string[], where: string): Promise<Answer> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return 'not asked';
  for (const line of questionLines(shown, where, output.columns)) output.write(`${line}\n`);
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    const answer = await Promise.race([lines.question('Do you agree to it? [y/n] '), closed]);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } finally {
    lines.close();
  }
}

/** Returns the question as lines; each item begins on a new line. */
export function questionLines(
  shown: readonly string[],
  where: string,
  columns: number | undefined,
): string[] {
  const { width } = terminalAbility({}, columns);
  const head = `You have not agreed yet to what ${where} does in this folder:`;
  return [head, ...shown.map((one) => `  - it ${one}`)].flatMap((line) => wrapped(line, width));
}
