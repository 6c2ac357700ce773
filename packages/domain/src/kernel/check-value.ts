/**
 * Validates a value and returns all problems in plain words, with their paths. An unknown key is
 * reported with the key that was probably meant. If a value may have one of several forms, its
 * `type` or `kind` selects the form, and only problems with that form are reported.
 */
import type * as z from 'zod';
import { likelyMeant } from './likely-meant.ts';
import { allOf, kindWord, noFormFits, oneOf, plainWords } from './plain-words.ts';

export interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Set if the key itself is wrong, not its value. */
  readonly atKey?: true;
  /** The missing key that the unknown key was probably meant to be. */
  readonly meant?: string;
}

type Issue = z.core.$ZodIssue;

/**
 * The maximum number of unknown keys to report. Guessing the meant key for more of them would block
 * other requests.
 */
const mostUnknownKeys = 20;
const mostProblems = 1000;

export function checkValue<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
):
  | { readonly value: Value }
  | { readonly problems: readonly [ValueProblem, ...(readonly ValueProblem[])] } {
  const knownKeys = new Map<readonly string[], readonly string[]>();
  const parsed = schema.safeParse(value, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') knownKeys.set(issue.keys, keysOf(issue));
      return plainWords(issue);
    },
  });
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues
    .slice(0, mostProblems)
    .flatMap((issue) => problemsOf(issue, value, knownKeys));
  return { problems: withoutEchoes(problems) as [ValueProblem, ...ValueProblem[]] };
}

/** Drops the problem of a missing key if another problem reports that key as misspelt. */
export function withoutEchoes(problems: readonly ValueProblem[]): ValueProblem[] {
  const meant = new Set(
    problems.flatMap(({ path, meant: key }) =>
      key === undefined ? [] : [JSON.stringify([...path.slice(0, -1), key])],
    ),
  );
  return meant.size === 0
    ? [...problems]
    : problems.filter(({ path }) => !meant.has(JSON.stringify(path)));
}

function problemsOf(
  issue: Issue,
  input: unknown,
  knownKeys: ReadonlyMap<readonly string[], readonly string[]>,
): ValueProblem[] {
  const path = issue.path as (string | number)[];
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys.get(issue.keys);
    const there = Object.keys(Object(valueAt(input, path)));
    const free = known?.filter((key) => !there.includes(key)) ?? [];
    return issue.keys
      .slice(0, mostUnknownKeys)
      .map((key) =>
        known === undefined
          ? { path: [...path, key], message: issue.message, atKey: true }
          : unknownKey([...path, key], free),
      );
  }
  const misspelt = misspeltTag(issue, input);
  if (misspelt !== undefined) return [misspelt];
  if (issue.code === 'invalid_union' && issue.message === noFormFits) {
    const inside = valueAt(input, path);
    const chosen = chooseForm(issue.errors, inside);
    if (chosen !== undefined) {
      return chosen
        .flatMap((one) => problemsOf(one, inside, knownKeys))
        .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
    }
    const forms = issue.errors.flatMap((form) => formWord(form) ?? []);
    if (forms.length > 0 && forms.length === issue.errors.length) {
      return [{ path, message: `This must be ${oneOf([...new Set(forms)])}.` }];
    }
  }
  return [{ path, message: issue.message }];
}

/** Returns a problem if the discriminator key is misspelt. */
function misspeltTag(issue: Issue, input: unknown): ValueProblem | undefined {
  const tag = issue.code === 'invalid_union' ? issue.discriminator : undefined;
  if (tag === undefined) return undefined;
  const around = issue.path.slice(0, -1) as (string | number)[];
  const there = Object.keys(Object(valueAt(input, around)));
  if (there.includes(tag)) return undefined;
  const key = there.slice(0, mostUnknownKeys).find((one) => likelyMeant(one, [tag]) === tag);
  return key === undefined ? undefined : unknownKey([...around, key], [tag]);
}

/** Reports the unknown key at `path`, with the free key that was probably meant. */
export function unknownKey(path: ValueProblem['path'], free: readonly string[]): ValueProblem {
  const key = String(path.at(-1));
  const meant = likelyMeant(key, free);
  const unknown = `Unknown key ${shown(key)}`;
  if (meant !== undefined) {
    return { path, message: `${unknown}; did you mean ${meant}?`, atKey: true, meant };
  }
  const help = free.length === 0 ? 'take it out' : `allowed here: ${allOf(free)}`;
  return { path, message: `${unknown}; ${help}.`, atKey: true };
}

/**
 * Chooses the form to report on, in this order: the form whose tag the value has, a form whose tag
 * the value misspells, the closest form of the value's type.
 */
function chooseForm(forms: readonly Issue[][], value: unknown): readonly Issue[] | undefined {
  const tagged = forms.filter((form) => tagOf(form) !== undefined);
  const fitting = forms.filter((form) => !tagged.includes(form) && !form.some(isOfOtherType));
  fitting.sort((one, other) => one.length - other.length);
  const there = Object.keys(Object(value));
  return (
    fitting.find((form) => !form.some(isOtherWord)) ??
    tagged.find((form) => there.includes(tagOf(form) as string)) ??
    fitting[0] ??
    tagged[0]
  );
}

function isOtherWord({ path, code }: Issue): boolean {
  return path.length === 1 && code === 'invalid_value';
}

function isOfOtherType({ path, code }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

/** Returns the discriminator's name if an invalid discriminator is the only problem. */
function tagOf([only, ...others]: readonly Issue[]): string | undefined {
  const isTag = only?.code === 'invalid_union' && others.length === 0 && only.path.length === 1;
  return isTag ? only.discriminator : undefined;
}

function formWord([issue]: readonly Issue[]): string | undefined {
  if (issue?.path.length !== 0) return undefined;
  if (issue.code === 'invalid_type') return kindWord(issue.expected);
  return issue.code === 'invalid_value' ? oneOf(issue.values.map(String)) : undefined;
}

function keysOf({ inst }: z.core.$ZodRawIssue): readonly string[] {
  const { shape } = Object((inst as z.ZodType | undefined)?._zod.def) as { shape?: object };
  return Object.keys(shape ?? {});
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) value = Object(value)[step];
  return value;
}

function shown(key: string): string {
  return key.length <= 60 ? key : `${key.slice(0, 59)}…`;
}
