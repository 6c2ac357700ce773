/**
 * Plays one trial from its recording: one side or both are answered from it. What a side that is live does otherwise is
 * noted once, as the first divergence; then the trial ends, or what was recorded of the side that cannot go on goes live.
 */
import {
  type Divergence,
  divergenceAt,
  type IgnoreRules,
  RecordingRedactor,
  type ReplayedSide,
  type ValueDifference,
  type WholeRequest,
} from '@proofmark/domain';
import { Diverged } from './diverged.ts';
import type { OpenedRecordingOfTrial } from './opened-recording.ts';

export interface ReplayTerms {
  readonly model: ReplayedSide;
  readonly servers: ReplayedSide;
  readonly onDivergence: 'stop' | 'live';
  readonly ignore: IgnoreRules;
  /**
   * For what is changed on purpose: answers of the model are taken by place, whatever it is asked, and what live servers
   * answer is not held against the recording.
   */
  readonly byPlace?: boolean;
  /** Whether the case prompts a model: else what servers list is nobody's matter. */
  readonly asksModel: boolean;
}

export class TrialReplay {
  readonly recorded: OpenedRecordingOfTrial;
  readonly terms: ReplayTerms;
  readonly serverNames: ReadonlyMap<string, string>;
  readonly #secrets: () => readonly string[];
  #divergence: Divergence | undefined;
  /** Of the turn that goes on, as far as requests to the model tell. */
  turn = 0;
  isModelLive: boolean;
  areServersLive: boolean;

  constructor(
    recorded: OpenedRecordingOfTrial,
    terms: ReplayTerms,
    servers: readonly { readonly id: string; readonly name: string }[],
    secrets: () => readonly string[],
  ) {
    this.recorded = recorded;
    this.terms = terms;
    this.serverNames = new Map(servers.map(({ id, name }) => [id, name]));
    this.#secrets = secrets;
    this.isModelLive = terms.model === 'live';
    this.areServersLive = terms.servers === 'live';
  }

  get divergence(): Divergence | undefined {
    return this.#divergence;
  }

  /** Whether something was asked for real that was recorded. */
  get isContinuedLive(): boolean {
    return this.#divergence !== undefined && this.terms.onDivergence === 'live';
  }

  /** What was said now, as a recording would keep it. */
  redact(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redact(value);
  }

  redactKnown(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redactKnown(value);
  }

  /** Parameters are words of our own, and tools describe values: a limit of tokens is no token. */
  redactRequest(request: WholeRequest): WholeRequest {
    const redactor = new RecordingRedactor(this.#secrets());
    const { system, tools, messages } = request;
    return {
      ...request,
      ...(system !== undefined && { system: redactor.redact(system) }),
      tools: redactor.redactKnown(tools) as readonly unknown[],
      messages: redactor.redact(messages) as readonly unknown[],
    };
  }

  /** Ends the trial, or lets it go on live. Only the first is told. */
  diverge(
    place: Omit<Parameters<typeof divergenceAt>[0], 'turn'>,
    difference: ValueDifference,
  ): void {
    this.note(divergenceAt({ ...place, turn: this.turn }, difference));
  }

  note(divergence: Divergence): void {
    this.#divergence ??= divergence;
    if (this.terms.onDivergence === 'stop') throw new Diverged(this.#divergence);
    // A side that is live already cannot be what goes on otherwise.
    if (divergence.side === 'model' || this.terms.servers === 'live') this.isModelLive = true;
    else this.areServersLive = true;
  }
}
