/**
 * Keys of model providers for one run. A flag names the environment variable with the key, because
 * other users can read command lines in the process list. Errors do not quote the flag, because a
 * user may have typed the key itself.
 */
import { ApiError } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import { collectFlag } from './collect-flag.ts';
import { UsageProblem } from './exit-codes.ts';

export const modelKeyFlag = [
  '--model-key <provider=variable>',
  'use the key in this environment variable for a provider; repeat for more',
  collectFlag,
] as const;

/**
 * Returns the error of a launch without a key in the words of the command, which has a flag where
 * the API has a field. Other errors are returned unchanged.
 */
export function errorWithKeyFlag(error: unknown): unknown {
  const lacksKey = error instanceof ApiError && error.details['reason'] === 'MODEL_NOT_AVAILABLE';
  return lacksKey ? new UsageProblem(withKeyFlag(cleanText(error.message, false))) : error;
}

export function withKeyFlag(message: string): string {
  return message.replace(keyField, (_, provider: string) => {
    const variable = `${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
    return `name the environment variable with the key, as in --model-key ${provider}=${variable}, ask the operator to configure ${provider}`;
  });
}

/** For commands that send no keys. */
export function withoutKeyField(message: string): string {
  return message.replace(
    keyField,
    (_, provider: string) => `ask the operator to configure ${provider}`,
  );
}

const keyField = /send one in modelApiKeys, ask the operator to configure ([a-z0-9.-]+)(?=,)/;

/**
 * Whether a warning reports a missing key that this command has. The warning comes from the import,
 * which runs without the keys. Only the launch receives them.
 */
export function missesGivenKey(
  { code, message }: { readonly code: string; readonly message: string },
  keys: Readonly<Record<string, string>>,
): boolean {
  if (code !== 'MODEL_NOT_AVAILABLE') return false;
  const [, provider = ''] = keyField.exec(message) ?? [];
  return Object.hasOwn(keys, provider);
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
