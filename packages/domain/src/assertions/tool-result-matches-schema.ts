import * as z from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { assertionKind, assertionSchema, fails, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';
import { showError } from './redact.ts';
import { notCapturedIn, resultValue } from './result-content.ts';
import { schemaProblem } from './schema-problem.ts';

export const maxAuthoredSchemaBytes = 32 * 1024;

const AuthoredSchema = z
  .record(z.string(), z.unknown())
  .refine(isSmall, {
    error: `A schema has at most ${maxAuthoredSchemaBytes} bytes as canonical JSON.`,
    abort: true,
  })
  .superRefine((schema, context) => {
    const fault = schemaProblem(schema);
    if (fault.state === 'wellFormed') return;
    context.addIssue({
      code: 'custom',
      message: `This is not a valid JSON Schema: ${fault.problem}`,
    });
  });

/**
 * Holds if every result satisfies the schema. The structured content is checked; without it, the
 * text is parsed as JSON and checked.
 */
export const toolResultMatchesSchema = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolResultMatchesSchema', { schema: AuthoredSchema, ...scopeFields }),
  evaluate({ schema, toolName, serverName }, { toolCalls }, { schemas }) {
    const scope = { toolName, serverName };
    return everyCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const read = resultValue(call);
        if (read.state === 'notCaptured') {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        if (read.state === 'none') {
          const sentence = `A result of ${shown} has neither structured content nor text that is JSON.`;
          return { state: 'no', sentence };
        }
        const checked = schemas.check(schema, read.value);
        if (checked.state === 'valid') return { state: 'yes', sentence: '' };
        const problem = showError(checked.problem);
        return checked.state === 'invalid'
          ? {
              state: 'no',
              sentence: `A result of ${shown} does not satisfy the schema: ${problem}`,
            }
          : { state: 'unknown', sentence: `A result of ${shown} was not checked: ${problem}` };
      },
      {
        none: fails(noCallIn(scope)),
        held: `Every result${ofScope(scope)} satisfies the schema.`,
      },
    );
  },
});

function isSmall(schema: unknown): boolean {
  try {
    return new TextEncoder().encode(canonicalJson(schema)).length <= maxAuthoredSchemaBytes;
  } catch {
    return false;
  }
}
