/**
 * What a folder would have started is agreed to before it is: once for a folder and what it states, at a terminal by y or n,
 * elsewhere by `--trust`. Where nobody agrees nothing is started.
 */
import { createInterface } from 'node:readline/promises';
import { cleanText, type ThingToTrust } from '@proofmark/domain';
import type { Command } from 'commander';
import { UsageProblem } from '../remote/exit-codes.ts';
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

export function withTrustFlag(command: Command): Command {
  return command.option(
    '--trust',
    'allow the programs and settings of this folder, and remember it',
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
  if (!flags.trust && !(await isAgreed(shown, asked.where))) {
    const also = asked.also === undefined ? '' : ` ${asked.also}.`;
    throw new UsageProblem(
      `${asked.where} is not trusted here: ${shown.join('; ')}.${also} Nothing was started. Allow it with --trust, which is remembered for this folder until the files change, or once with PROOFMARK_TRUST=1.`,
    );
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

/** Asked at a terminal; elsewhere nobody agrees. */
export async function isAgreed(shown: readonly string[], where: string): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return false;
  output.write(`${where} is not trusted in this folder yet:\n`);
  for (const one of shown) output.write(`  ${one}\n`);
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    const answer = await Promise.race([lines.question('Start it? [y/n] '), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
