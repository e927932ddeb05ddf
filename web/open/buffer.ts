/* In the pages, this takes the place of Node's Buffer, of which core/proof uses a few methods. */

class Bytes extends Uint8Array {
  override toString(_encoding?: 'hex', from = 0, to = this.length): string {
    return Array.from(this.subarray(from, to), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  readUIntBE(at: number, length: number): number {
    return this.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  /** Writes hex, and returns the number of bytes before the first digit that is none. */
  write(hex: string, at: number, length: number): number {
    for (let index = 0; index < length; index++) {
      const digits = hex.slice(2 * index, 2 * index + 2);
      if (!/^[0-9a-f]{2}$/i.test(digits)) return index;
      this[at + index] = Number.parseInt(digits, 16);
    }
    return length;
  }
}

const fromHex = (hex: string): Bytes => {
  const bytes = new Bytes(hex.length >> 1);
  bytes.write(hex, 0, bytes.length);
  return bytes;
};

export const Buffer = {
  from: (source: string | ArrayBuffer, from?: number | 'hex' | 'latin1', length?: number): Bytes => {
    if (typeof source !== 'string') return new Bytes(source, Number(from ?? 0), length);
    if (from === 'hex') return fromHex(source);
    return new Bytes(Array.from(source, (letter) => letter.charCodeAt(0)));
  },
  alloc: (length: number) => new Bytes(length),
  allocUnsafeSlow: (length: number) => new Bytes(length),
  isBuffer: (value: unknown) => value instanceof Bytes,
};
