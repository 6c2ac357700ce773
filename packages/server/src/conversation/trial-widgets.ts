/**
 * The recorded widgets of a trial. Each different picture is stored once, and observations refer to
 * it.
 */
import type { WidgetObservation } from '@proofmark/domain';

export interface TrialWidgets {
  /**
   * One observation per widget, in the order of the calls whose results the widgets show; redacted
   * like traces.
   */
  readonly observations: readonly WidgetObservation[];
  readonly pictures: readonly KeptPicture[];
}

export interface KeptPicture {
  /** The SHA-256 of the PNG, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly png: Uint8Array;
}
