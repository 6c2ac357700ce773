/**
 * The URL is for a browser on this machine, so an address that means all interfaces is replaced by
 * 127.0.0.1.
 */
export function addressUrl({
  address,
  port,
}: {
  readonly address: string;
  readonly port: number;
}): string {
  const unspecified = address === '' || address === '::' || address === '0.0.0.0';
  const host = unspecified ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
