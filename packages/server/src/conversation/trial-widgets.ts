/**
 * The recorded widgets of a trial. Pictures are separate, each once; observations refer to them.
 */
import type { WidgetObservation } from '@proofmark/domain';

export interface TrialWidgets {
  /** In the order of the calls whose results they show. Redacted like traces. */
  readonly observations: readonly WidgetObservation[];
  readonly pictures: readonly KeptPicture[];
}

export interface KeptPicture {
  /** SHA-256 of the PNG, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly png: Uint8Array;
}
