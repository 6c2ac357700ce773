/**
 * The version of all packages of the repository. The API document, the command and the service show
 * it.
 */
export const version = '0.1.0';
