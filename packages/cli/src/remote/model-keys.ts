/**
 * Keys of model providers for one run. A flag names the environment variable that holds a key,
 * never the key itself: everyone who lists processes can read a command line, and it stays in the
 * shell's history. Errors do not repeat the flag's value, since it may be a key.
 */
import { ApiError } from '@proofmark/client';
import { printNotice } from '../output.ts';
import { collectFlag } from './collect-flag.ts';
import { UsageProblem } from './exit-codes.ts';

export const modelKeyFlag = [
  '--model-key <provider=variable>',
  'use the key in this environment variable for a provider; repeat for more',
  collectFlag,
] as const;

/** Adds the flag to the service's error, which describes only the field in the body. */
export function tellMissingKey(error: unknown): void {
  const lacksKey =
    error instanceof ApiError &&
    error.details['reason'] === 'MODEL_NOT_AVAILABLE' &&
    error.message.includes('modelApiKeys');
  if (lacksKey) printNotice('give it a key: --model-key PROVIDER=VARIABLE');
}

export function readModelKeys(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const flag of flags) {
    const [, provider, variable] = /^([a-z0-9.-]{1,64})=([A-Za-z_][A-Za-z0-9_]*)$/.exec(flag) ?? [];
    const key = variable === undefined ? undefined : environment[variable]?.trim();
    if (provider === undefined) {
      throw new UsageProblem(
        '--model-key takes a provider and the name of the environment variable with its key, as openai=OPENAI_API_KEY.',
      );
    }
    if (key === undefined || key === '') {
      throw new UsageProblem(
        `The environment variable of --model-key for ${provider} is not set; give the name of a variable, never a key.`,
      );
    }
    keys[provider] = key;
  }
  return keys;
}
