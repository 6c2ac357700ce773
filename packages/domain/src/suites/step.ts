/**
 * The steps of a case, in order: a message to the model, a prompt or a resource of a server, a call
 * that the case makes itself, a widget action, or an assertion about everything before it. Unknown
 * keys are rejected.
 */
import * as z from 'zod';
import { isRecord } from '../kernel/json.ts';
import { Elicitations } from './elicitation.ts';
import { StepAssertion } from './template-assertion.ts';
import { WidgetAction } from './widget.ts';

export const maxSteps = 200;
const maxArgumentsLength = 100_000;
const id = z.string().min(1).max(128);

/** The time limit of a step or a whole case, in milliseconds. */
export const TimeLimit = z.int().min(1).max(600_000).meta({
  id: 'EvalTimeLimit',
  description:
    'Milliseconds that a step or the steps of a case may take, up to the limit that the operator sets for a trial. Waits of Proofmark itself, for judges and for scorers do not count.',
});

const PromptStep = z
  .strictObject({
    id,
    kind: z.literal('prompt'),
    prompt: z.string().max(100_000),
    elicitations: Elicitations.optional(),
    timeoutMs: TimeLimit.optional(),
  })
  .meta({
    id: 'EvalPromptStep',
    description: 'One message of the user; the model decides what to do.',
  });

export const ToolCallStep = z
  .strictObject({
    id,
    kind: z.literal('toolCall'),
    serverName: z.string().min(1).max(200),
    serverId: z.string().min(1).max(128).optional(),
    toolName: z.string().min(1).max(256),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((given) => JSON.stringify(given).length <= maxArgumentsLength, {
        error: `The arguments of a call have at most ${maxArgumentsLength} characters.`,
      }),
    renderTimeoutMs: z.int().min(1).max(120_000).optional(),
    elicitations: Elicitations.optional(),
    timeoutMs: TimeLimit.optional(),
  })
  .meta({
    id: 'EvalToolCallStep',
    description: 'A tool call without a model. serverId wins over serverName.',
  });

const server = {
  serverName: z.string().min(1).max(200),
  serverId: z.string().min(1).max(128).optional(),
};

const GetPromptStep = z
  .strictObject({
    id,
    kind: z.literal('getPrompt'),
    ...server,
    promptName: z.string().min(1).max(256),
    arguments: z
      .record(z.string().max(256), z.string().max(maxArgumentsLength))
      .refine((given) => JSON.stringify(given).length <= maxArgumentsLength, {
        error: `The arguments of a prompt have at most ${maxArgumentsLength} characters.`,
      })
      .optional(),
    elicitations: Elicitations.optional(),
    timeoutMs: TimeLimit.optional(),
  })
  .meta({
    id: 'EvalGetPromptStep',
    description:
      'The messages that a prompt of the server renders. If the last message is from the user, the model is asked. serverId wins over serverName.',
  });

const ReadResourceStep = z
  .strictObject({
    id,
    kind: z.literal('readResource'),
    ...server,
    uri: z.string().min(1).max(2048),
    timeoutMs: TimeLimit.optional(),
  })
  .meta({
    id: 'EvalReadResourceStep',
    description:
      'Adds the text of a resource of the server as a message of the user, without opening a turn. serverId wins over serverName.',
  });

const InteractStep = z
  .strictObject({
    id,
    kind: z.literal('interact'),
    toolName: z.string().min(1).max(256),
    action: WidgetAction,
  })
  .meta({ id: 'EvalInteractStep', description: 'One action in the widget of a tool.' });

const AssertStep = z
  .strictObject({
    id,
    kind: z.literal('assert'),
    assertion: z
      .preprocess((given, context) => {
        if (isRecord(given) && 'type' in given && 'kind' in given) {
          context.addIssue({
            code: 'custom',
            message:
              'An assertion has either a type (about the transcript) or a kind (about a widget).',
          });
        }
        return given;
      }, StepAssertion)
      .meta({
        description:
          'An assertion about the trial so far, with a type (for example toolCalledWith), or about a widget, with a kind.',
      }),
  })
  .meta({ id: 'EvalAssertStep' });

export type ToolCallStep = z.infer<typeof ToolCallStep>;

export const Step = z
  .discriminatedUnion('kind', [
    PromptStep,
    ToolCallStep,
    GetPromptStep,
    ReadResourceStep,
    InteractStep,
    AssertStep,
  ])
  .meta({ id: 'EvalTestStep' });
export type Step = z.infer<typeof Step>;

export function asksModel({ kind }: Pick<Step, 'kind'>): boolean {
  return kind === 'prompt' || kind === 'getPrompt';
}

/**
 * Whether the case itself sends a request to a server in this step. Each such request must be
 * answered.
 */
export function asksServer(
  step: Step,
): step is Extract<Step, { kind: 'toolCall' | 'getPrompt' | 'readResource' }> {
  return step.kind === 'toolCall' || step.kind === 'getPrompt' || step.kind === 'readResource';
}

export const Steps = z
  .array(Step)
  .min(1, 'A case has at least one step.')
  .max(maxSteps, `A case has at most ${maxSteps} steps.`)
  .superRefine((steps, context) => {
    const seen = new Set<string>();
    for (const [index, step] of steps.entries()) {
      if (seen.has(step.id)) {
        const message = `The step id ${JSON.stringify(step.id)} is used twice in this case.`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
      seen.add(step.id);
    }
  });
