/** Every kind except `ok` stops the trial. */
export type StepOutcome =
  | { readonly kind: 'ok'; readonly note?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | {
      readonly kind: 'providerFailed';
      readonly reason: string;
      readonly isLimited?: true;
    }
  /** The step needs an ability that Proofmark lacks. */
  | { readonly kind: 'setupFailed'; readonly reason: string }
  | { readonly kind: 'graderFailed'; readonly reason: string };

export const ok: StepOutcome = { kind: 'ok' };
