export type EgressReason =
  | 'EGRESS_BLOCKED'
  | 'RESPONSE_TOO_LARGE'
  | 'INVALID_RESPONSE'
  | 'TIMEOUT'
  | 'TLS'
  | 'UNREACHABLE';

/**
 * The only error that egress throws. Its message is safe to show to anybody: it contains neither
 * the address that a name resolved to nor any part of the request. It has no `cause` for the same
 * reason, because socket errors contain the address.
 */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  readonly reason: EgressReason;
  /** The error code of the system or the TLS library, for example ECONNREFUSED. */
  readonly systemCode: string | undefined;

  constructor(reason: EgressReason, message: string = sentences[reason], systemCode?: string) {
    super(message);
    this.reason = reason;
    this.systemCode = systemCode;
  }

  /**
   * Whether the call was blocked because of its address. Other calls are blocked because of their
   * form or a redirect.
   */
  get isOfAddress(): boolean {
    return this.reason === 'EGRESS_BLOCKED' && this.message === sentences.EGRESS_BLOCKED;
  }
}

const sentences: Record<EgressReason, string> = {
  EGRESS_BLOCKED:
    'This address is not allowed as a target; use a public address or ask the operator to allow it.',
  RESPONSE_TOO_LARGE: 'The server sent a larger answer than is allowed.',
  INVALID_RESPONSE: 'The server sent an answer that is not valid HTTP.',
  TIMEOUT: 'The server did not finish its answer in time.',
  TLS: 'No secure connection could be made; check the certificate of the server.',
  UNREACHABLE: 'The server could not be reached; check its address and that it is running.',
};
