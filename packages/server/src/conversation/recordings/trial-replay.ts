/**
 * Replays one trial from its recording: one side or both are answered from it. The first difference
 * of a live side is noted as the divergence; then the trial ends, or the recorded side that cannot
 * continue goes live.
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
   * For intended changes: answers of the model are taken in order, whatever the request, and
   * answers of live servers are not compared with the recording.
   */
  readonly byPlace?: boolean;
  /** Whether the case prompts a model; otherwise the listed tools do not matter. */
  readonly asksModel: boolean;
}

export class TrialReplay {
  readonly recorded: OpenedRecordingOfTrial;
  readonly terms: ReplayTerms;
  readonly serverNames: ReadonlyMap<string, string>;
  readonly #secrets: () => readonly string[];
  #divergence: Divergence | undefined;
  /** The present turn, as far as requests to the model show it. */
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

  /** True if the trial continued live after a divergence. */
  get isContinuedLive(): boolean {
    return this.#divergence !== undefined && this.terms.onDivergence === 'live';
  }

  /** Redacts a present value like in a recording. */
  redact(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redact(value);
  }

  redactKnown(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redactKnown(value);
  }

  /**
   * Redacts a request. Our parameters and descriptions of tools are not treated as values: a limit
   * of tokens is no secret token.
   */
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

  /**
   * Notes a divergence and ends the trial, or lets it continue live. Only the first is reported.
   */
  diverge(
    place: Omit<Parameters<typeof divergenceAt>[0], 'turn'>,
    difference: ValueDifference,
  ): void {
    this.note(divergenceAt({ ...place, turn: this.turn }, difference));
  }

  note(divergence: Divergence): void {
    this.#divergence ??= divergence;
    if (this.terms.onDivergence === 'stop') throw new Diverged(this.#divergence);
    // A side that is already live cannot be the one that goes live.
    if (divergence.side === 'model' || this.terms.servers === 'live') this.isModelLive = true;
    else this.areServersLive = true;
  }
}
