/**
 * Returns the URL by which a browser on this machine reaches a listening address of the service.
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
