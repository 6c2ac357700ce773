/**
 * The schema of an assertion with a template in place of a value that is not text, for example
 * `count: "{{most}}"`. Problems that only such a template causes are ignored until a row's values
 * replace it. The TypeScript type is that of an ordinary assertion, since code reads the fields
 * only after the replacement.
 */
import * as z from 'zod';
import { Assertion } from '../assertions/assertion.ts';
import { wrapArguments } from '../assertions/tool-called-with.ts';
import { checkValue, type ValueProblem } from '../kernel/check-value.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { isTemplate, readTemplate } from './template-text.ts';
import { WidgetAssertion } from './widget.ts';

type Path = readonly (string | number)[];

export function isTemplateAlone(value: unknown): value is string {
  if (typeof value !== 'string' || !isTemplate(value)) return false;
  const read = readTemplate(value);
  return 'parts' in read && read.parts.length === 1 && typeof read.parts[0] === 'object';
}

const AnyAssertion = z.union([Assertion, WidgetAssertion]);

const AssertionTemplate = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    const alone = templatesAlone(given);
    if (alone.length === 0) {
      // An assertion without such a template is left to the other schemas of the union, which
      // report its problems.
      context.addIssue({ code: 'invalid_type', expected: 'never', input: given, continue: false });
      return;
    }
    for (const { path, message, atKey } of problemsOf(given)) {
      const isLetBe = atKey === undefined && !isForm(path);
      if (isLetBe && alone.some((place) => isWithin(place, path))) continue;
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .transform(withWrappedArguments)
  .meta({
    id: 'EvalAssertionTemplate',
    description:
      'An assertion, only in a case with data, in which "{{column}}" alone takes the place of a number, true or false, one of several words, a list, a schema or another object. With the values of every row it must be a valid assertion.',
  }) as unknown as typeof Assertion;

/**
 * Converts the `args` of `toolCalledWith` to the one form that later code reads. Templates stay as
 * written.
 */
function withWrappedArguments(given: Json): Json {
  const { type, args } = given;
  return type === 'toolCalledWith' && isRecord(args)
    ? { ...given, args: wrapArguments(args) }
    : given;
}

/**
 * An assertion in a case. Templates are accepted here; whether the case has data for them is
 * checked on the whole case.
 */
export const CaseAssertion = z.union([Assertion, AssertionTemplate]);
export const StepAssertion = z.union([Assertion, AssertionTemplate, WidgetAssertion]);

interface StatedCase {
  readonly steps?: readonly object[] | null | undefined;
  readonly checks?: { readonly list?: readonly unknown[] | undefined } | null | undefined;
  readonly assertions?: readonly unknown[] | null | undefined;
  readonly data?: unknown;
}

export function templatesWithoutData(
  stated: StatedCase,
): { readonly path: (string | number)[]; readonly message: string }[] {
  if (stated.data !== undefined && stated.data !== null) return [];
  const all = [
    ...(stated.steps ?? []).map((step, index) => ({
      at: ['steps', index, 'assertion'],
      given: Object(step).assertion as unknown,
    })),
    ...(stated.checks?.list ?? []).map((given, index) => ({
      at: ['checks', 'list', index],
      given,
    })),
    ...(stated.assertions ?? []).map((given, index) => ({ at: ['assertions', index], given })),
  ];
  return all.flatMap(({ at, given }) => {
    if (templatesAlone(given).length === 0) return [];
    return problemsOf(given).map(({ path, message }) => ({
      path: [...at, ...path],
      message: `${message} "{{column}}" can take its place only in a case with data.`,
    }));
  });
}

function problemsOf(given: unknown): readonly ValueProblem[] {
  const checked = checkValue(AnyAssertion, given);
  return 'problems' in checked ? checked.problems : [];
}

function templatesAlone(value: unknown): Path[] {
  if (isTemplateAlone(value)) return [[]];
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => templatesAlone(inner).map((path) => [key, ...path]));
}

function isForm(path: Path): boolean {
  return path.length === 1 && (path[0] === 'type' || path[0] === 'kind');
}

function isWithin(place: Path, problem: Path): boolean {
  return problem.length <= place.length && problem.every((step, at) => step === place[at]);
}
