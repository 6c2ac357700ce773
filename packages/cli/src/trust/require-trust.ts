/**
 * What a folder would have started, or sent to an address, is agreed to before it is: once for a folder and what it states, at a terminal by y or n,
 * elsewhere by `--trust`. Where nobody agrees nothing is started.
 */
import { createInterface } from 'node:readline/promises';
import { cleanText, type ThingToTrust } from '@proofmark/domain';
import type { Command } from 'commander';
import { printNotice } from '../output.ts';
import { UsageProblem } from '../remote/exit-codes.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { wrapped } from '../remote/wrap-line.ts';
import { rememberTrust, untrustedOf } from './trust-file.ts';

export interface TrustFlags {
  readonly trust?: true;
}

export interface Asked {
  /** What states them, for a sentence. */
  readonly where: string;
  readonly folder: string;
  /** What is asked about after it: whoever agrees with a flag agrees to both, so it is told with it. */
  readonly also?: string | undefined;
}

/** At a terminal a person answers; elsewhere nobody is asked. */
type Answer = 'yes' | 'no' | 'not asked';

export function withTrustFlag(command: Command): Command {
  return command.option(
    '--trust',
    'allow what the files of this folder start and send, and remember it',
  );
}

export async function requireTrust(
  things: readonly ThingToTrust[],
  asked: Asked,
  flags: TrustFlags,
): Promise<void> {
  const unknown = untrustedOf(things, asked.folder, process.env);
  if (unknown.length === 0 || agreesForOnce()) return;
  const shown = unknown.map((thing) => cleanText(thing.shown, false));
  if (!flags.trust) {
    const answer = await askToAgree(shown, asked.where);
    if (answer === 'no') throw new UsageProblem(notAgreed(asked.where));
    if (answer === 'not asked') {
      // A line for each: what is agreed to is not cut where a message would be.
      for (const one of shown) printNotice(`${asked.where} ${one}.`);
      if (asked.also !== undefined) printNotice(`${asked.also}.`);
      throw new UsageProblem(
        `${asked.where} is not trusted here, so nothing was started or sent. Allow it with --trust, which is remembered for this folder until the files change, or once with PROOFMARK_TRUST=1.`,
      );
    }
  }
  rememberTrust(unknown, asked.folder, process.env);
}

/** Which of them may be used without asking anybody. */
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
  return `Nothing was started or sent, since ${where} was not agreed to.`;
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

/** One thing after the other, each from a line of its own. */
export function questionLines(
  shown: readonly string[],
  where: string,
  columns: number | undefined,
): string[] {
  const { width } = terminalAbility({}, columns);
  const head = `You have not agreed yet to what ${where} does in this folder:`;
  return [head, ...shown.map((one) => `  - it ${one}`)].flatMap((line) => wrapped(line, width));
}
