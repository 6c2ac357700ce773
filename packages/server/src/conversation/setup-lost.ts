/**
 * Thrown when something that the trial needs is lost while it runs. The trial ends without a grade;
 * the message is the reason.
 */
export class SetupLost extends Error {
  override readonly name = 'SetupLost';
  /** Whether a server requires OAuth and accepts none of the stored grants. */
  readonly needsOAuth: boolean;

  /** Whether a server keeps asking Proofmark to wait. */
  readonly asksToWait: boolean;

  constructor(message: string, { needsOAuth = false, asksToWait = false } = {}) {
    super(message);
    this.needsOAuth = needsOAuth;
    this.asksToWait = asksToWait;
  }
}
