/**
 * An assertion of a case with data in which a template stands alone where no text may stand, such as `count: "{{most}}"`.
 * What its rows make of it is held against the shape of an assertion when they are filled in, which happens wherever
 * such a case is written; until then a problem is let be where a template alone is what it is about. Its type is that
 * of an assertion, for nobody reads the fields of one before they are filled in.
 */
import * as z from 'zod';
import { Assertion } from '../assertions/assertion.ts';
import { wrapArguments } from '../assertions/tool-called-with.ts';
import { checkValue, type ValueProblem } from '../kernel/check-value.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { isTemplate, readTemplate } from './template-text.ts';
import { WidgetAssertion } from './widget.ts';

type Path = readonly (string | number)[];

/** Whether a text is one template and nothing else. */
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
      // Then it is no template but the assertion that the other forms speak of.
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
      'Only in a case with data: an assertion in which "{{column}}" alone stands for a number, for true or false, for one of several words, for a list, a schema or another object. It must be an assertion with every row.',
  }) as unknown as typeof Assertion;

/** A template is kept as it was stated, but for the arguments of a call, which have one form wherever they are read. */
function withWrappedArguments(given: Json): Json {
  const { type, args } = given;
  return type === 'toolCalledWith' && isRecord(args)
    ? { ...given, args: wrapArguments(args) }
    : given;
}

/** As a case may state it; whether it has data is known of the whole case alone. */
export const CaseAssertion = z.union([Assertion, AssertionTemplate]);
export const StepAssertion = z.union([Assertion, AssertionTemplate, WidgetAssertion]);

/** A case as somebody states it, in whatever spelling. */
interface StatedCase {
  readonly steps?: readonly object[] | null | undefined;
  readonly checks?: { readonly list?: readonly unknown[] | undefined } | null | undefined;
  readonly assertions?: readonly unknown[] | null | undefined;
  readonly data?: unknown;
}

/** Templates in the place of values, in a case without rows that say what they stand for. */
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
      message: `${message} Only in a case with data "{{column}}" stands for it.`,
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

/** What an assertion asks is the same for all rows. */
function isForm(path: Path): boolean {
  return path.length === 1 && (path[0] === 'type' || path[0] === 'kind');
}

/** Whether a problem is told at a place or around it; one of a key is about nothing that it holds. */
function isWithin(place: Path, problem: Path): boolean {
  return problem.length <= place.length && problem.every((step, at) => step === place[at]);
}
