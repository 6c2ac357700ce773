/**
 * Runs a request to a server that may ask Proofmark to wait (HTTP 429, or 503 with a time). The
 * server has then executed nothing, so the same request is sent again, after the requested pause or
 * after growing pauses. From then on fewer calls are made concurrently. Retries end with the
 * trial's time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { asksToWait } from '../outside/mcp/asks-to-wait.ts';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { CallSlots, HeldSlot } from './call-slots.ts';
import type { TimeLeft } from './run-servers.ts';

export interface AskOptions {
  readonly slots: CallSlots;
  readonly serverId: string;
  readonly atMost: number;
  readonly signal: AbortSignal;
  readonly time: TimeLeft;
  /** Milliseconds of the first growing pause, used if the server states no time (default: 150). */
  readonly firstPauseMs?: number | undefined;
  onHeld(isHeld: boolean): void;
  isAskedByOthers?(): boolean;
}

export async function retryWhileAskedToWait<Result>(
  options: AskOptions,
  work: (slot: HeldSlot) => Promise<Result>,
): Promise<Result> {
  const { slots, serverId, atMost, signal } = options;
  let refusals = 0;
  let refusalsAlone = 0;
  for (;;) {
    options.onHeld(refusals > 0 || slots.isSlowed(serverId));
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one attempt within its slot; its counts belong to the loop around it.
    const refused = await slots.run(serverId, atMost, signal, async (slot) => {
      await untilAllowed(slot, options);
      // The wait for a slot is over, so the time from here on is the server's.
      options.onHeld(false);
      const wasAskedByOthers = options.isAskedByOthers?.() === true;
      try {
        const result = await work(slot);
        slot.pace.isHopeless = false;
        return { result };
      } catch (error) {
        if (!(error instanceof McpFailure) || !asksToWait(error)) throw error;
        const isAlone = !wasAskedByOthers && options.isAskedByOthers?.() !== true;
        if (isAlone && slot.wasAlone()) refusalsAlone += 1;
        slot.takeFewer();
        if (refusalsAlone >= (slot.pace.isHopeless ? fewest : most)) {
          slot.pace.isHopeless = true;
          throw refusedEvenAlone(error);
        }
        return { error, slot };
      }
    });
    if ('result' in refused) return refused.result;
    const growingMs = (options.firstPauseMs ?? defaultFirstPauseMs) * 2 ** refusals;
    const pauseMs = pauseAfter(refused, Math.min(growingMs, longestPauseMs));
    refusals += 1;
    options.onHeld(true);
    if (pauseMs > options.time.remainingMs()) throw askedTooLong(refused.error);
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * Keeps the details of the server's rejection, but under an error code that does not blame the
 * server.
 */
function refusedEvenAlone(failure: McpFailure): McpFailure {
  return heldBack(
    failure,
    'The server keeps asking Proofmark to wait, even when it receives one call at a time.',
  );
}

function askedTooLong(failure: McpFailure): McpFailure {
  return heldBack(failure, 'The server asks Proofmark to wait for longer than the trial may take.');
}

function heldBack({ details }: McpFailure, message: string): McpFailure {
  return new McpFailure('RATE_LIMITED', message, { ...details, reason: 'TARGET_RATE_LIMITED' });
}

export function isRefusedEvenAlone(error: unknown): error is McpFailure {
  return error instanceof McpFailure && error.details['reason'] === 'TARGET_RATE_LIMITED';
}

/** A pause that the server requested applies to all runs, so no run calls the server earlier. */
function pauseAfter(
  { error, slot }: { readonly error: McpFailure; readonly slot: HeldSlot },
  growingMs: number,
): number {
  const { retryAfterSeconds } = error.details;
  const askedMs = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0;
  const { pace } = slot;
  if (performance.now() + askedMs > pace.notBeforeMs) {
    pace.notBeforeMs = performance.now() + askedMs;
    pace.refusal = error;
  }
  return Math.max(askedMs, growingMs);
}

async function untilAllowed({ pace }: HeldSlot, { signal, time }: AskOptions): Promise<void> {
  for (;;) {
    const leftMs = pace.notBeforeMs - performance.now();
    if (leftMs <= 0) return;
    if (pace.refusal !== undefined && leftMs > time.remainingMs()) {
      throw askedTooLong(pace.refusal);
    }
    await pause(leftMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * The maximum number of rejections while no other call is in flight to the server. `fewest` applies
 * instead of `most` if another trial already reached the maximum.
 */
const most = 8;
const fewest = 2;
const defaultFirstPauseMs = 150;
const longestPauseMs = 10_000;
