/**
 * Published schemas for requests and responses, each at a permanent path. A change that older
 * readers would not understand gets a new version number and a new path.
 */
import {
  Decision,
  DecisionSummary,
  ScorerAnswer,
  ScorerRequest,
  scorerSchemaVersion,
  summarySchemaVersion,
  verdictPolicyVersion,
} from '@proofmark/domain';
import type * as z from 'zod';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { basePaths } from './operation.ts';

export const schemasPath = `${basePaths.api}/schemas`;

const decisionRules =
  'a measured rate is exactly numerator / denominator; the trials of the cases add up to those of validity; no case occurs twice; verdicts, reasons and holds follow from the counts and the policy.';

const published: Readonly<Record<string, { shape: z.ZodType; title: string; rules: string }>> = {
  [`eval-run-decision-summary.v${summarySchemaVersion}.json`]: {
    shape: DecisionSummary,
    title: 'Decision summary of an eval run',
    rules: `Beyond this schema: verdict is that of decision; counts are the tally of decision.cases, and passed, failed and inconclusive add up to total; a complete page has no nextCursor and lists at most scannedIterations items; stages are in the order of the chain. In a decision, ${decisionRules}`,
  },
  [`verdict-policy.v${verdictPolicyVersion}.json`]: {
    shape: Decision,
    title: 'Decision of an eval run under verdict policy v2',
    rules: `Beyond this schema: ${decisionRules}`,
  },
  [`scorer-request.v${scorerSchemaVersion}.json`]: {
    shape: ScorerRequest,
    title: 'The request to an own scorer',
    rules:
      'At most 1 MiB, signed in the header Proofmark-Signature: t=<seconds>,v1=<hex HMAC-SHA-256 of "t.body">. Parts that did not fit are cut and replaced by a text that says so.',
  },
  [`scorer-answer.v${scorerSchemaVersion}.json`]: {
    shape: ScorerAnswer,
    title: 'The answer of an own scorer',
    rules: 'At most 64 KiB, with a status from 200 to 299. Other fields are ignored.',
  },
};

export const publishedSchemaNames: readonly string[] = Object.keys(published);

export function publishedSchema(name: string): JsonSchema | undefined {
  const entry = Object.hasOwn(published, name) ? published[name] : undefined;
  if (entry === undefined) return undefined;
  const { schema, named } = jsonSchemaOf(entry.shape, '#/$defs/');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${schemasPath}/${name}`,
    title: entry.title,
    description: entry.rules,
    ...schema,
    $defs: named,
  };
}
