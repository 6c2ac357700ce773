/** One version for the whole repository: the API document, the command and the service say it. */
export const version = '0.1.0';
