/**
 * Makes the calls before and after a trial's steps, one after another in the trial's sessions. They
 * appear only in the trace, where they are marked: no assertion, expectation, stage or count
 * includes them. `before` stops at its first failing call. `after` makes all its calls, even after
 * an internal failure.
 */
import {
  Deadline,
  type SetupList,
  type SetupPart,
  type ToolCallStep,
  type TrialWarning,
  trialSentence,
} from '@proofmark/domain';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import { callServer } from './call-server.ts';
import { NotMeasured } from './not-measured.ts';
import { policyRefusalOf } from './policy-refusal.ts';
import { SetupLost } from './setup-lost.ts';
import type { SpanDraft } from './span.ts';
import type { TimeOfCalls } from './time-of-calls.ts';
import { serverOf } from './tool-call-step.ts';
import type { TurnContext } from './trial-context.ts';
import { TrialLog } from './trial-log.ts';
import { withoutBlobs } from './without-blobs.ts';

export interface SetupRecord {
  readonly of: SetupList['of'];
  readonly stepId: string;
  readonly serverName: string;
  readonly toolName: string;
  readonly arguments: ToolCallStep['arguments'];
  readonly status: 'ok' | 'fail' | 'skipped';
  readonly reason?: string;
  readonly spanId?: string;
  readonly output?: ToolResultPart['output'] | unknown;
}

export interface SetupFailure {
  /** The position of the call: `after[0]` in the case, or `settings.after[0]` in the suite. */
  readonly path: string;
  readonly reason: string;
}

export interface SetupCalls {
  readonly records: readonly SetupRecord[];
  readonly failures: readonly SetupFailure[];
}

export interface SetupOptions {
  readonly time: TimeOfCalls;
  /** Called once a call has been sent. Not called for a call that only waited for a slot. */
  readonly onBegun?: () => void;
}

export async function makeSetupCalls(
  context: TurnContext,
  part: SetupPart,
  lists: readonly SetupList[],
  around: SetupOptions,
): Promise<SetupCalls> {
  const made = new MadeCalls(context, part, around);
  for (const list of lists) await made.makeList(list);
  return made;
}

interface Made {
  readonly failure?: string;
  readonly by: string;
  readonly output?: ToolResultPart['output'];
}

export function teardownWarnings(failures: readonly SetupFailure[]): TrialWarning[] {
  return failures.map(({ path, reason }) => ({ path, code: 'AFTER_FAILED', message: reason }));
}

class MadeCalls implements SetupCalls {
  readonly records: SetupRecord[] = [];
  readonly failures: SetupFailure[] = [];
  readonly #context: TurnContext;
  readonly #part: SetupPart;
  readonly #around: SetupOptions;
  /** Why no further calls are made; undefined as long as calls are made. */
  #stopped: string | undefined;

  constructor(context: TurnContext, part: SetupPart, around: SetupOptions) {
    this.#context = context;
    this.#part = part;
    this.#around = around;
  }

  async makeList(list: SetupList): Promise<void> {
    const { signal } = this.#context;
    const seconds = list.timeoutMs / 1000;
    const tooLong = `The ${seconds} seconds allowed for this list of calls have passed.`;
    const deadline = new Deadline(list.timeoutMs, () => new Error(tooLong), signal);
    try {
      await this.#around.time.during(deadline, async () => {
        for (const [index, call] of list.calls.entries()) {
          signal.throwIfAborted();
          if (this.#stopped !== undefined) this.#skip(list, call, this.#stopped);
          else if (deadline.isOver) this.#skip(list, call, tooLong);
          else await this.#make(list, call, index, deadline);
        }
      });
    } finally {
      deadline.end();
    }
  }

  #skip({ of }: SetupList, call: ToolCallStep, reason: string): void {
    this.records.push({ ...recordOf(of, call), status: 'skipped', reason });
  }

  async #make(
    { of }: SetupList,
    call: ToolCallStep,
    index: number,
    deadline: Deadline,
  ): Promise<void> {
    const { log } = this.#context;
    // This log is discarded, so that the call leaves only its span in the trial's log.
    const aside = new TrialLog(() => log.nowMs(), 0);
    const span = log.beginSpan(`${this.#part} ${call.toolName}`, 'step');
    span.part = this.#part;
    const context = { ...this.#context, log: aside };
    const made = await this.#tryCall(context, call, deadline, span).catch((error: unknown) => {
      if (aside.hasCutCall) this.#around.onBegun?.();
      throw error;
    });
    this.#around.onBegun?.();
    log.refusedCalls.push(...aside.refusedCalls);
    log.repeated.takeFrom(aside.repeated);
    span.status = made.failure === undefined ? 'ok' : 'error';
    log.endSpan(span);
    const { failure, output } = made;
    const by = made.by === 'its author' ? `the ${of}` : made.by;
    this.records.push({
      ...recordOf(of, call),
      ...(failure === undefined ? { status: 'ok' } : { status: 'fail', reason: failure }),
      spanId: span.id,
      ...(output !== undefined && { output: log.bound(withoutBlobs(output)) }),
    });
    if (failure === undefined) return;
    const listName = of === 'suite' ? `settings.${this.#part}` : this.#part;
    const place = `The ${this.#part} list of the ${of} failed at step ${JSON.stringify(call.id)}, caused by ${by}`;
    this.failures.push({ path: `${listName}[${index}]`, reason: `${place}: ${failure}` });
    if (this.#part === 'before') {
      this.#stopped = `Not called, because step ${JSON.stringify(call.id)} failed.`;
    }
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each way a call of a set-up can end, with the party that is blamed for it.
  async #tryCall(
    context: TurnContext,
    call: ToolCallStep,
    { signal }: Deadline,
    span: SpanDraft,
  ): Promise<Made> {
    const { toolName } = call;
    const server = serverOf(call, context.opened.servers);
    if (server === undefined) {
      const name = JSON.stringify(call.serverId ?? call.serverName);
      const failure = `The call names the server ${name}, which is not part of this run.`;
      return { failure, by: 'its author' };
    }
    if (server.failure !== undefined) return { failure: server.failure, by: 'the setup' };
    span.toolName = toolName;
    span.serverId = server.id;
    span.serverName = server.name;
    const tool = context.offeredTools.listed(server.id, toolName);
    const named = { serverId: server.id, serverName: server.name, toolName };
    const refused = policyRefusalOf(context, named);
    if (refused !== undefined) return { failure: refused, by: 'the tool policy' };
    context.answers.beginStep(call);
    try {
      const asked = {
        serverId: server.id,
        toolName,
        input: call.arguments,
        toolCallId: `${this.#part}-${call.id}`,
        promptIndex: 0,
        parentId: span.id,
        messageIndex: 0,
      };
      const answer = await callServer({ ...context, signal }, asked);
      const isWrongCall =
        tool === undefined || context.log.toolErrors.at(-1)?.argumentProblem !== undefined;
      return { ...answer, by: isWrongCall ? 'its author' : 'the server' };
    } catch (error) {
      if (this.#context.signal.aborted) throw this.#context.signal.reason;
      if (signal.aborted)
        return { failure: (signal.reason as Error).message, by: 'the time limit' };
      if (error instanceof NotMeasured) {
        const isProvider = error.outcome.kind === 'providerFailed';
        return { failure: error.message, by: isProvider ? 'the model provider' : 'the setup' };
      }
      // Rejected credentials, a server that asks Proofmark to wait, and too many concurrent calls
      // of Proofmark count as failures of the set-up.
      if (error instanceof SetupLost || error instanceof McpFailure) {
        return { failure: error.message, by: 'the setup' };
      }
      if (this.#part === 'before') throw error;
      // Used-up credits and internal failures are only reported, so that the remaining clean-up
      // still runs.
      return { failure: trialSentence(error), by: 'this service' };
    }
  }
}

function recordOf(
  of: SetupList['of'],
  { id, serverName, toolName, arguments: given }: ToolCallStep,
): Pick<SetupRecord, 'of' | 'stepId' | 'serverName' | 'toolName' | 'arguments'> {
  return { of, stepId: id, serverName, toolName, arguments: given };
}
