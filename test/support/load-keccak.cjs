// CommonJS, because Jest calls only a function that is `module.exports` itself. It runs in the module registry of each test file.
module.exports = () => require('../../core/proof/encoding/keccak.ts').loadKeccak();
