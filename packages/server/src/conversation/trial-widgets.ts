import type { WidgetObservation } from '@proofmark/domain';

export interface TrialWidgets {
  /**
   * One observation per widget, in the order of the calls whose results the widgets show. Redacted
   * like traces.
   */
  readonly observations: readonly WidgetObservation[];
  readonly pictures: readonly KeptPicture[];
}

export interface KeptPicture {
  /** SHA-256 of the PNG in lower-case hexadecimal. */
  readonly sha256: string;
  readonly png: Uint8Array;
}
