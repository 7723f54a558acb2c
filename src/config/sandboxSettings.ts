/** Settings of the sandbox, embedded or alone. */
import { integer, optional, optionalInteger, text } from './setting.js';

/** The port of `fieldgraph sandbox` where SANDBOX_PORT is not set. */
export const SANDBOX_PORT = 4010;

export const sandboxSettings = {
  SANDBOX_PORT: optionalInteger({
    defaultText: `${SANDBOX_PORT} for \`fieldgraph sandbox\`, a free port inside a gateway`,
    min: 0,
    max: 65_535,
    description: 'Port of the sandbox. 0 takes a free port.',
  }),
  SANDBOX_DB: optional({
    defaultText: 'in memory',
    description: "File of the sandbox's data. It is used again at the next start.",
  }),
  SANDBOX_SITES: integer({
    default: 40,
    min: 1,
    max: 2000,
    description: 'Number of sites in the sandbox.',
  }),
  SANDBOX_KEY: text({ default: 'sandbox', description: "Key of the sandbox's API client." }),
  SANDBOX_SECRET: text({ default: 'sandbox', description: "Secret of the sandbox's API client." }),
};
