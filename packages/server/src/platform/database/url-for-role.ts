/**
 * Returns the address of the same database for another role. The role is set in the query
 * parameters, which override the user and password before the host.
 */
export function urlForRole(
  url: string,
  role: { readonly name: string; readonly password: string },
): string {
  const [address = '', query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('user', role.name);
  parameters.set('password', role.password);
  return `${address.replace(/^([^/]*\/\/)[^/]*@/, '$1')}?${parameters}`;
}
