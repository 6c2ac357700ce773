/**
 * Reads the flags of `admin model set`. The key comes from an environment variable, because other
 * users of the machine can read command lines in the process list.
 */
import type { Flags } from '../operate.ts';

type ProviderChange = import('@proofmark/server').ProviderChange;

export class BadFlag extends Error {}

export function readProviderFlags(
  flags: Readonly<Record<string, Flags[string] | readonly string[]>>,
  environment: Readonly<Record<string, string | undefined>>,
): ProviderChange {
  const { kind, baseUrl, keyVariable, key, model, images, requestsAtOnce } = flags;
  if (images !== undefined && model === undefined) {
    throw new BadFlag('--images needs the model in --model too; give both.');
  }
  return {
    ...(kind !== undefined && { kind: String(kind) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl === 'none' ? null : String(baseUrl) }),
    ...(keyVariable !== undefined && { apiKey: keyIn(String(keyVariable), environment) }),
    ...(key === false && { apiKey: null }),
    ...(Array.isArray(model) && { models: modelsOf(model, Array.isArray(images) ? images : []) }),
    ...(requestsAtOnce !== undefined && {
      requestsAtOnce: requestsAtOnce === 'none' ? null : Number(requestsAtOnce),
    }),
  };
}

/**
 * The error does not quote the flag's value, because a user may have typed the key itself there.
 */
function keyIn(variable: string, environment: Readonly<Record<string, string | undefined>>) {
  const key = environment[variable]?.trim() ?? '';
  if (key !== '') return key;
  throw new BadFlag(
    'The environment variable of --key-variable is not set; give the name of a variable, never a key.',
  );
}

function modelsOf(models: readonly string[], images: readonly string[]) {
  const offered = models.map((flag) => {
    const [, name = '', input, output] = /^(.*?)(?:=([0-9.]+),([0-9.]+))?$/.exec(flag) ?? [];
    if (name === '' || name.includes('=')) {
      throw new BadFlag('--model takes a name, or a name and two prices as in large=2,8.');
    }
    return {
      name,
      ...(input !== undefined && { inputPerMillion: Number(input) }),
      ...(output !== undefined && { outputPerMillion: Number(output) }),
      ...(images.includes(name) && { images: true }),
    };
  });
  const unknown = images.find((name) => !offered.some((one) => one.name === name));
  if (unknown === undefined) return offered;
  throw new BadFlag(`--images names ${unknown}, but no --model does; add it with --model.`);
}
