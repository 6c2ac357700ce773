/**
 * Asks for permission before programs named in a folder's files are started or data is sent to
 * addresses in them. At a terminal the user answers y or n; elsewhere `--trust` grants it.
 * `--trust-base` permits only what the same file contained in that commit.
 */
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { cleanText, type ThingToTrust } from '@proofmark/domain';
import { type Command, Option } from 'commander';
import { printNotice } from '../output.ts';
import { UsageProblem } from '../remote/exit-codes.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { wrapped } from '../remote/wrap-line.ts';
import { readAtCommit } from './read-at-commit.ts';
import { hashOf, rememberTrust, untrustedOf } from './trust-file.ts';

export interface TrustFlags {
  readonly trust?: true;
  /**
   * A commit or branch. Only content that the same file has in this commit is trusted for this
   * call.
   */
  readonly trustBase?: string;
}

export interface Asked {
  readonly where: string;
  readonly folder: string;
  /** Reads the programs and addresses in another version of the same file, for `--trust-base`. */
  readonly statedAt?:
    | ((content: string, beside: ReadBeside) => Promise<readonly ThingToTrust[]>)
    | undefined;
  /**
   * A sentence about another permission that is requested later. `--trust` grants both, so the
   * error must show both.
   */
  readonly also?: string | undefined;
}

/** `not asked` if there is no terminal. */
type Answer = 'yes' | 'no' | 'not asked';

class UntrustedProblem extends UsageProblem {}

/**
 * Asks for each suite in turn. Without a terminal, prints what every suite starts before the first
 * problem is thrown, because `--trust` allows all of it.
 */
export async function askAll<Suite>(
  suites: readonly Suite[],
  ask: (suite: Suite) => Promise<void>,
): Promise<void> {
  const untrusted: UntrustedProblem[] = [];
  for (const suite of suites) {
    await ask(suite).catch((problem: unknown) => {
      if (!(problem instanceof UntrustedProblem)) throw problem;
      untrusted.push(problem);
    });
  }
  const [first] = untrusted;
  if (first !== undefined) throw first;
}

export function withTrustFlag(command: Command): Command {
  return command
    .option('--trust', 'allow what the files of this folder start and send, and remember it')
    .addOption(
      new Option(
        '--trust-base <commit>',
        'allow only what the same file had in this commit, such as the base of a pull request',
      ).conflicts('trust'),
    );
}

/** Reads a file of the same folder; returns undefined if it does not exist. */
export type ReadBeside = (name: string) => string | undefined;

export async function requireTrust(
  things: readonly ThingToTrust[],
  asked: Asked,
  flags: TrustFlags,
): Promise<void> {
  if (flags.trustBase !== undefined) return requireStatedAt(things, asked, flags.trustBase);
  const unknown = untrustedOf(things, asked.folder, process.env);
  if (unknown.length === 0 || agreesForOnce()) return;
  const shown = unknown.map((thing) => cleanText(thing.shown, false));
  if (!flags.trust) {
    const answer = await askToAgree(shown, asked.where);
    if (answer === 'no') throw new UsageProblem(notAgreed(asked.where));
    if (answer === 'not asked') {
      printUntrusted(shown, asked);
      throw new UntrustedProblem(
        `${asked.where} is not trusted here, so nothing was started or sent. Allow it with --trust, which is remembered for this folder until something named above changes, or once with PROOFMARK_TRUST=1.`,
      );
    }
  }
  rememberTrust(unknown, asked.folder, process.env);
}

/**
 * Permits only content that the same file has in the commit. Stored permissions do not count,
 * because they may cover other content of the same folder.
 */
async function requireStatedAt(
  things: readonly ThingToTrust[],
  asked: Asked,
  commit: string,
): Promise<void> {
  if (things.length === 0) return;
  const { where, statedAt } = asked;
  const content = readAtCommit(where, commit);
  const beside: ReadBeside = (name) => readAtCommit(path.join(path.dirname(where), name), commit);
  const stated = content === undefined ? [] : await statedAt?.(content, beside);
  const known = new Set((stated ?? []).map(hashOf));
  const unknown = things.filter((thing) => !known.has(hashOf(thing)));
  if (unknown.length === 0) return;
  printUntrusted(
    unknown.map((thing) => cleanText(thing.shown, false)),
    asked,
  );
  throw new UsageProblem(
    `${where} has other content in the commit ${commit}, so nothing was started or sent. Ask a person who trusts the change to merge it first, or use --trust instead of --trust-base.`,
  );
}

/**
 * Prints each item as a separate notice. The user must see the whole text to permit, and an error
 * message would be cut.
 */
function printUntrusted(shown: readonly string[], { where, also }: Asked): void {
  for (const one of shown) printNotice(`${where} ${one}.`);
  if (also !== undefined) printNotice(`${also}.`);
}

export function trustedAlready<Thing extends ThingToTrust>(
  things: readonly Thing[],
  folder: string,
  flags: TrustFlags,
): readonly Thing[] {
  // With --trust-base, earlier permissions do not count.
  if (flags.trustBase !== undefined) return [];
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

export function questionLines(
  shown: readonly string[],
  where: string,
  columns: number | undefined,
): string[] {
  const { width } = terminalAbility({}, columns);
  const head = `These actions of ${where} need your agreement in this folder:`;
  return [head, ...shown.map((one) => `  - it ${one}`)].flatMap((line) => wrapped(line, width));
}
