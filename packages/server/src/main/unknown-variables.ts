/**
 * Warns about environment variables with the service's prefix that are no settings. Most are typos,
 * and the intended setting does not apply. They do not stop the start, because another version may
 * use them.
 */
import { type Settings, settingRows } from './settings.ts';

export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  { modelProviders }: Pick<Settings, 'modelProviders'>,
): string[] {
  const ofSettings = Object.values(settingRows).flatMap((row) => row.environment);
  const ofProviders = modelProviders.flatMap(({ keyVariable }) => keyVariable ?? []);
  const known = [...ofSettings, ...beside, ...ofProviders];
  return Object.keys(environment)
    .filter((name) => name.startsWith('PROOFMARK_') && !known.includes(name))
    .sort()
    .map((name) => {
      const nearest = nearestOf(name, ofSettings);
      return `${name} is not a setting and has no effect${nearest === undefined ? '.' : `; did you mean ${nearest}?`}`;
    });
}

/** Variables that client commands read, and the variable that names the configuration file. */
const beside = [
  'PROOFMARK_CONFIG',
  'PROOFMARK_URL',
  'PROOFMARK_API_KEY',
  'PROOFMARK_PROJECT',
  'PROOFMARK_TRUST',
];

/** The maximum edit distance of a suggested name. Unrelated names differ more. */
const furthest = 5;

function nearestOf(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((one) => ({ one, far: distance(name, one) }))
    .sort((left, right) => left.far - right.far);
  return ranked.find(({ far }) => far <= furthest)?.one;
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...other].entries()) {
      const changed = (row[at] as number) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
