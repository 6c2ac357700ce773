import { randomUUID } from 'node:crypto';
import type { OutputOf } from '@proofmark/contract';
import {
  type AgentCall,
  type AgentMessage,
  type AgentOperation,
  agentBounds,
  canonicalJson,
  isAgentOperation,
  isRecord,
  type Json,
  lexicalAgentId,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { insertIdempotentAnswer } from '../../../platform/database/idempotent-answers.ts';
import { findKept } from '../../../platform/operations/keyed-answers.ts';
import { beginPaidStep } from '../../../platform/spending/paid-step.ts';
import { isUnsent, usageOfFailure } from '../../../platform/spending/usage-of-call.ts';
import { modelFailureError } from '../../models/index.ts';
import type { AgentProject } from '../agent-context.ts';
import { type ChosenStep, type StepSoFar, shownResult, stepChooserOf } from './choose-next-step.ts';
import { type CallOutcome, makeCall } from './make-call.ts';

type Answer = OutputOf<'runAgentTurn'>;

export class AgentTurn {
  readonly created: Answer['createdResources'] = [];
  readonly #context: AgentProject;
  readonly #history: readonly AgentMessage[];
  /** The caller's idempotency key. The keys of all writes in the turn are derived from it. */
  readonly #key: string | undefined;
  readonly #operations: AgentOperation[] = [];
  /** The calls with complete results, for the built-in agent. A model gets only shortened text. */
  readonly #calls: AgentCall[] = [];
  readonly #steps: StepSoFar[] = [];
  readonly #usage = { inputTokens: 0, outputTokens: 0 };
  readonly #ref = randomUUID();
  #charactersLeft: number = agentBounds.turnCharacters;

  constructor(context: AgentProject, history: readonly AgentMessage[], key: string | undefined) {
    this.#context = context;
    this.#history = history;
    this.#key = key;
  }

  async play(): Promise<Omit<Answer, 'model'>> {
    let answer = '';
    for (let step = 1; step <= agentBounds.steps; step += 1) {
      const thought = await this.#think(step);
      if (thought.text !== '') answer = thought.text;
      if (thought.asked.length === 0) return this.#answer(thought.text);
      // The calls of the last step are not made, because no further step would read their results.
      if (step < agentBounds.steps) await this.#makeCalls(thought);
    }
    return {
      ...this.#answer(answer || 'I reached the step limit of this turn before I finished.'),
      stopped: 'steps',
    };
  }

  #answer(reply: string): Omit<Answer, 'model'> {
    return {
      reply,
      toolCalls: this.#operations.map((operation) => ({ operation })),
      createdResources: this.created,
      proposedActions: [],
      usage: this.#usage,
    };
  }

  async #think(step: number): Promise<ChosenStep> {
    const { database, project, spending, partModels, signal } = this.#context;
    signal.throwIfAborted();
    const thinker = stepChooserOf(this.#context, this.#history);
    const paid = await beginPaidStep(database, spending.limits.creditsPerDay, {
      place: { organizationId: project.organizationId, projectId: project.id },
      kind: 'agent_step',
      ref: this.#ref,
      step: String(step),
      model: partModels.agent,
      price: thinker.price,
      requestBytes: thinker.bytes(this.#steps),
    });
    let usage: ChosenStep['usage'] = { inputTokens: null, outputTokens: null };
    let isWaiting = false;
    let wasSent = true;
    const onSent = (isSent: boolean) => {
      isWaiting = !isSent;
    };
    const think = async () => {
      try {
        const thought = await thinker.think(this.#steps, this.#calls, onSent);
        usage = thought.usage;
        return thought;
      } catch (error) {
        wasSent = !isUnsent(isWaiting, error);
        usage = usageOfFailure(error);
        throw error;
      }
    };
    try {
      return await modelFailureError(think(), signal);
    } finally {
      this.#usage.inputTokens += usage.inputTokens ?? 0;
      this.#usage.outputTokens += usage.outputTokens ?? 0;
      await this.#context.tenant((sql) => (wasSent ? paid.settle(sql, usage) : paid.drop(sql)));
    }
  }

  async #makeCalls({ text, asked }: ChosenStep): Promise<void> {
    const shown = new Map<string, string>();
    for (const [index, { toolCallId, toolName, input, invalidInput }] of asked.entries()) {
      this.#context.signal.throwIfAborted();
      if (index >= agentBounds.callsPerStep) {
        shown.set(
          toolCallId,
          `This failed. A step makes at most ${agentBounds.callsPerStep} calls.`,
        );
        continue;
      }
      if (!isAgentOperation(toolName)) {
        shown.set(toolCallId, 'This failed. This tool does not exist.');
        continue;
      }
      const outcome: CallOutcome =
        invalidInput === undefined
          ? await this.#call(toolName, input)
          : { error: 'VALIDATION_ERROR: The arguments are not a JSON object.' };
      this.#operations.push(toolName);
      if (this.#context.partModels.agent === lexicalAgentId)
        this.#calls.push({ operation: toolName, arguments: input, outcome });
      const text = shownResult(outcome);
      this.#charactersLeft -= text.length;
      shown.set(toolCallId, text);
    }
    this.#steps.push({ text, asked, shown });
  }

  async #call(operation: AgentOperation, input: Json): Promise<CallOutcome> {
    if (operation !== 'createEvalSuite') {
      if (this.#charactersLeft > 0) return makeCall(this.#context, operation, input);
      return {
        error:
          'The calls of this turn have reached the limit of text to read; answer with what you have.',
      };
    }
    if (this.created.length >= agentBounds.suites)
      return { error: `At most ${agentBounds.suites} suites can be created in one turn.` };
    const outcome = await this.#createOnce(input);
    const result = 'result' in outcome && isRecord(outcome.result) ? outcome.result : undefined;
    if (result !== undefined) {
      const { baseUrl, project } = this.#context;
      const id = String(result['suiteId']);
      const url = `${baseUrl}/projects/${project.id}/suites/${id}`;
      this.created.push({ type: 'eval_suite', id, name: String(result['name']), url });
    }
    return outcome;
  }

  /**
   * Creates a suite. With an idempotency key, the n-th suite of a turn is created only once, even
   * if the model names it differently in a repeated turn. A rejected attempt does not count.
   */
  async #createOnce(input: Json): Promise<CallOutcome> {
    const context = this.#context;
    if (this.#key === undefined) return makeCall(context, 'createEvalSuite', input);
    const request = {
      organizationId: context.project.organizationId,
      operation: 'runAgentTurn createEvalSuite',
      key: sha256Hex(canonicalJson([context.project.id, this.#key, this.created.length + 1])),
      requestHash: sha256Hex(canonicalJson(this.#history)),
    };
    const made = context.tenant(async (sql): Promise<CallOutcome> => {
      const earlier = await findKept(sql, request);
      if (earlier !== undefined) return { result: earlier };
      const inside: AgentProject = { ...context, tenant: (work) => work(sql) };
      const outcome = await makeCall(inside, 'createEvalSuite', input);
      if ('error' in outcome) throw new Undone(outcome);
      await insertIdempotentAnswer(sql, request, outcome.result);
      return outcome;
    });
    return made.catch((error: unknown) => {
      if (error instanceof Undone) return error.outcome;
      throw error;
    });
  }
}

/** Thrown to roll back the writes of a rejected call. */
class Undone extends Error {
  readonly outcome: CallOutcome;

  constructor(outcome: CallOutcome) {
    super('The call was refused.');
    this.outcome = outcome;
  }
}
