/** An error response. Any code that serves a request may throw it. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message the caller's mistake with the parameter's name. It is sent unchanged. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
  }
}

export function createBadRequestError(message: string): HttpError {
  return new HttpError(400, message);
}

/** 404: the requested object does not exist or belongs to another account. */
export function createNotFoundError(message: string): HttpError {
  return new HttpError(404, message);
}
