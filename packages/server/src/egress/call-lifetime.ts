import { EgressRefused } from './egress-refused.ts';

/**
 * The time one outbound call may take, from the call to the last byte of the answer. It ends by the
 * deadline, by the caller's signal, or by `end` when the answer is complete or given up. The deadline
 * is a total one: a server that sends a byte now and then does not win time.
 */
export interface CallLifetime {
  readonly signal: AbortSignal;
  /** Rejects when the deadline passes or the caller aborts, with what the caller should see. */
  readonly broken: Promise<never>;
  end(): void;
}

export function startCallLifetime(deadlineMs: number, caller?: AbortSignal | null): CallLifetime {
  const controller = new AbortController();
  const { signal } = controller;
  const onCallerAbort = () => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(new EgressRefused('TIMEOUT')), deadlineMs);
  const end = () => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onCallerAbort);
  };
  const broken = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
  });
  // Whoever races against `broken` sees the rejection; nobody racing any more is no fault.
  broken.catch(() => undefined);
  if (caller?.aborted) onCallerAbort();
  else caller?.addEventListener('abort', onCallerAbort);
  return { signal, broken, end };
}
