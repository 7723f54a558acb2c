/** The gateway's own schema, so that the rivals check the operations against the same. */
import { readdirSync, readFileSync } from 'node:fs';

const directory = new URL('../../schema/', import.meta.url);

export const typeDefs = readdirSync(directory)
  .map((file) => readFileSync(new URL(file, directory), 'utf8'))
  .join('\n');
