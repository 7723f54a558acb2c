/** Finds the endpoint that a path means, tolerating doubled and trailing slashes. */
import createFindMyWay, { type HTTPMethod } from 'find-my-way';
import type { SandboxEndpoint } from '../endpoints/endpoint.js';

export interface RouteMatch<Target> {
  readonly target: Target;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

export interface Router<Target> {
  match(method: string, path: string): RouteMatch<Target> | undefined;
  /** The methods that a path allows, empty where it does not exist. */
  allowedMethods(path: string): string[];
}

const METHODS = ['GET', 'POST'] as const;
const MAX_PARAMETER_LENGTH = 4096;

/** `/site/{siteId}` as `/site/:siteId`; fixed segments win over parameters. */
export function toRoutePath(template: string): string {
  return template.replace(/\{(\w+)\}/g, ':$1');
}

/** Routes by anything that has a method and a path template. */
export function createRouter<Target extends Pick<SandboxEndpoint, 'method' | 'path'>>(
  targets: readonly Target[],
): Router<Target> {
  const routes = createFindMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: MAX_PARAMETER_LENGTH,
  });
  for (const target of targets) routes.on(target.method, toRoutePath(target.path), () => target);
  const lookup = (method: HTTPMethod, path: string) => routes.find(method, path);
  return {
    match(method, path) {
      const wanted = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
      const found = wanted && lookup(wanted, path);
      if (!found) return undefined;
      // The route's handler was made above, and takes no arguments.
      const target = (found.handler as unknown as () => Target)();
      return { target, parameters: found.params };
    },
    allowedMethods(path) {
      const methods: string[] = METHODS.filter((method) => lookup(method, path));
      return methods.length === 0 ? [] : [...methods.flatMap(withHead), 'OPTIONS'];
    },
  };
}

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
