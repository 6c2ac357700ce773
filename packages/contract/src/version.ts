/** The version of the whole repository, shown by the API document, the command and the service. */
export const version = '0.1.0';
