import { errors } from 'undici';
import { EgressRefused } from './egress-refused.ts';

/**
 * Turns errors of sockets, TLS, the HTTP parser and decoders into EgressRefused. Only the error
 * code is used: the messages contain addresses and may contain bytes of the answer.
 */
export function explainFailure(error: unknown): EgressRefused {
  if (error instanceof EgressRefused) return error;
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || invalidAnswer.test(code)) {
    return new EgressRefused('INVALID_RESPONSE');
  }
  const isPlain = /^[A-Z][A-Z0-9_]*$/.test(code);
  const known = isPlain ? ` (${code})` : '';
  const systemCode = isPlain ? code : undefined;
  if (tlsTrouble.test(code)) {
    return new EgressRefused(
      'TLS',
      `No secure connection could be made${known}; check the certificate of the server.`,
      systemCode,
    );
  }
  if (lost.test(code)) {
    const message = `The connection to the server was lost${known} before it answered; check that it is running.`;
    return new EgressRefused('UNREACHABLE', message, systemCode);
  }
  return new EgressRefused(
    'UNREACHABLE',
    `The server could not be reached${known}; check its address and that it is running.`,
    systemCode,
  );
}

const lost = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;
const invalidAnswer = /^(Z_|ERR__ERROR_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;
const tlsTrouble =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|EPROTO$)/;

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // For a name with several addresses, there is one error for each address. The errors are usually
  // alike, so the first is used.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
