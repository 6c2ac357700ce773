/**
 * Replays one trial from its recording, which answers for the model, the servers or both. The first
 * difference between the live side and the recording is the divergence. The recording no longer
 * fits after it, so the trial ends or its recorded side goes live.
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
   * True if differences are intended. Model answers are then taken in order, regardless of the
   * requests, and the responses of live servers are not compared.
   */
  readonly byPlace?: boolean;
  /** Whether the case prompts a model. If not, changes of the listed tools do not matter. */
  readonly asksModel: boolean;
}

export class TrialReplay {
  readonly recorded: OpenedRecordingOfTrial;
  readonly terms: ReplayTerms;
  readonly serverNames: ReadonlyMap<string, string>;
  readonly #secrets: () => readonly string[];
  #divergence: Divergence | undefined;
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

  get isContinuedLive(): boolean {
    return this.#divergence !== undefined && this.terms.onDivergence === 'live';
  }

  redact(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redact(value);
  }

  redactKnown(value: unknown): unknown {
    return new RecordingRedactor(this.#secrets()).redactKnown(value);
  }

  /**
   * Redacts only the content of a model request. Parameters and tool descriptions are kept; for
   * example, a token limit is no secret token.
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
   * Records the first divergence and ignores later ones. Then ends the trial or lets it continue
   * live.
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
    // Only the recorded side can go live. If the servers are live already, that side is the model.
    if (divergence.side === 'model' || this.terms.servers === 'live') this.isModelLive = true;
    else this.areServersLive = true;
  }
}
