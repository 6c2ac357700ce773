/** The end of one step. All but the first stop the trial. */
export type StepOutcome =
  | { readonly kind: 'ok'; readonly note?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | {
      readonly kind: 'providerFailed';
      readonly reason: string;
      /** True if the provider limits the rate of requests. */
      readonly isLimited?: true;
    }
  /** We could not do something that the step needs. */
  | { readonly kind: 'setupFailed'; readonly reason: string }
  | { readonly kind: 'graderFailed'; readonly reason: string };

export const ok: StepOutcome = { kind: 'ok' };
