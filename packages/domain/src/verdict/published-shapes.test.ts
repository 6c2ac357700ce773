import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DecisionCounts } from './counts.ts';
import { DecisionSummary } from './decision-summary.ts';
import { TrialStatistics } from './trial-statistics.ts';

interface Schema {
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const summary = z.toJSONSchema(DecisionSummary) as Schema;

describe('the published shapes', () => {
  it('have the names of the specification', () => {
    expect(Object.keys(summary.$defs ?? {})).toEqual(
      expect.arrayContaining([
        ...['EvalRunDecision', 'EvalRunDecisionValidity', 'EvalRunDecisionPolicy'],
        ...['EvalRunDecisionCase', 'EvalRunDecisionRate', 'EvalRunDecisionExclusions'],
        ...['EvalRunDecisionCaseVariantCounts', 'EvalRunDecisionTrialCounts'],
        ...['EvalRunDecisionUndecided', 'EvalRunDecisionDiagnostics', 'EvalRunDecisionDiagnostic'],
        ...['EvalRunDecisionChain', 'EvalRunDecisionEvidence', 'StageResultRow'],
      ]),
    );
    expect(DecisionSummary.meta()?.id).toBe('EvalRunDecisionSummary');
    expect(DecisionCounts.meta()?.id).toBe('EvalRunDecisionCounts');
    expect(TrialStatistics.meta()?.id).toBe('EvalRunTrialStatistics');
  });

  it('name every variant of a union, so that a document can discriminate them', () => {
    const named = { ...summary.$defs, ...(z.toJSONSchema(DecisionCounts) as Schema).$defs };
    const unions = [
      ...[named.EvalRunDecisionSummary, named.EvalRunDecisionCounts],
      ...[named.EvalRunDecisionRate, named.EvalRunDecisionCoverage],
      named.EvalRunDecisionChain,
    ];
    for (const union of unions) {
      const variants = union?.oneOf ?? [];
      expect(variants.length).toBeGreaterThan(1);
      expect(variants.every((variant) => variant.$ref !== undefined)).toBe(true);
    }
  });

  it('are closed at every depth', () => {
    const open = [summary, z.toJSONSchema(TrialStatistics) as Schema]
      .flatMap(objects)
      .filter((schema) => schema.additionalProperties !== false);
    expect(open).toEqual([]);
  });
});

function objects(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(objects);
  return (value as Schema).type === 'object' ? [value as Schema, ...below] : below;
}
