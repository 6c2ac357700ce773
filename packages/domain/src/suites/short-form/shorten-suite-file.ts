/** Writes a suite file in the short form. Reading the result gives the same file again. */
import { isRecord, type Json } from '../../kernel/json.ts';
import { onlyServerOf } from '../complete-suite-file.ts';
import type { SuiteFile } from '../suite-file.ts';
import { type ShortenContext, shortAssertion, shortenSteps, shortSteps } from './shorten-case.ts';

export function shortenSuiteFile(file: SuiteFile): Json {
  const { mode, reportingMode: _only, defaults, cases, ...rest } = file;
  const context = { onlyServer: onlyServerOf(file.target), isContract: mode === 'serverContract' };
  const { schemaVersion, suite, target, ...others } = rest;
  const { validity, ...settings } = defaults;
  return {
    schemaVersion,
    ...(context.isContract && { mode }),
    suite,
    target,
    defaults: {
      ...shortAround(settings, context),
      ...(Object.keys(validity).length > 0 && { validity }),
    },
    ...others,
    cases: cases.map((one) => shortenCase(one, context)),
  };
}

function shortenCase(one: SuiteFile['cases'][number], context: ShortenContext): Json {
  const { id, title, steps, assertions, ...rest } = one;
  return {
    id,
    title,
    ...shortenSteps(steps, context),
    ...(assertions !== undefined && { assertions: assertions.map(shortAssertion) }),
    ...shortAround(rest, context),
  };
}

function shortAround(stated: Json, context: ShortenContext): Json {
  const lists = (['before', 'after'] as const).flatMap((name) => {
    const steps = stated[name];
    return Array.isArray(steps)
      ? [[name, shortSteps(steps.filter(isRecord), context)] as const]
      : [];
  });
  return { ...stated, ...Object.fromEntries(lists) };
}
