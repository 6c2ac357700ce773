import { publishedSchema, publishedSchemaNames } from '@proofmark/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/**
 * The decision inside the summary is also validated separately, against the schema for decisions.
 */
export function expectPublishedSummary(body: unknown): void {
  expect(summaryProblems(body)).toEqual([]);
  const { decision } = body as { decision?: unknown };
  if (decision !== undefined) expect(decisionProblems(decision)).toEqual([]);
}

export function summaryProblems(body: unknown): string[] {
  return problems('eval-run-decision-summary.v1.json', body);
}

export function decisionProblems(decision: unknown): string[] {
  return problems('verdict-policy.v2.json', decision);
}

const validators = new Map<string, ValidateFunction>();

function problems(name: string, value: unknown): string[] {
  const validate = validators.get(name) ?? compile(name);
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

function compile(name: string): ValidateFunction {
  const schema = publishedSchema(name);
  if (schema === undefined)
    throw new Error(
      `There is no published schema ${name}; the schemas are ${publishedSchemaNames.join(', ')}.`,
    );
  return new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);
}
