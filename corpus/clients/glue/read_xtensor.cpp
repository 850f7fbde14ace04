// xtensor's load_npy, which has the type of elements as a parameter: the types are tried one after the other.
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <xtensor/xarray.hpp>
#include <xtensor/xnpy.hpp>

template <class T>
std::string encode(const xt::xarray<T>& array) {
    const auto shape = array.shape();
    if (shape.size() > 2) throw std::runtime_error("glue: more than two dimensions");
    const uint32_t sizes[2] = {shape.size() > 0 ? uint32_t(shape[0]) : 1, shape.size() > 1 ? uint32_t(shape[1]) : 1};
    std::string out(reinterpret_cast<const char*>(sizes), 8);
    for (auto e = array.template begin<xt::layout_type::row_major>(); e != array.template end<xt::layout_type::row_major>(); ++e) {
        const T value = *e;
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return out;
}

template <class T, class... Rest>
std::string load(const std::string& file) {
    try {
        std::istringstream in(file);
        return encode<T>(xt::load_npy<T, xt::layout_type::dynamic>(in));
    } catch (const std::exception& error) {
        // The stored type is another one.
        if constexpr (sizeof...(Rest) > 0) {
            if (std::string(error.what()).find("Cast error") != std::string::npos) return load<Rest...>(file);
        }
        throw;
    }
}

std::string read(const char* name) {
    std::ifstream in(name, std::ios::binary);
    std::stringstream file;
    file << in.rdbuf();
    return load<uint8_t, int8_t, bool, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>(file.str());
}

int main(int count, char** words) {
    std::ios::sync_with_stdio(false);
    if (count == 3) {
        try {
            const std::string out = read(words[1]);
            std::ofstream(words[2], std::ios::binary) << out;
        } catch (const std::exception& error) {
            std::cerr << error.what() << '\n';
            return 1;
        }
        return 0;
    }
    std::cout << "ready\n" << std::flush;
    for (std::string line; std::getline(std::cin, line);) {
        std::string kind = "picture", out;
        try {
            out = read(line.substr(line.find(' ') + 1).c_str());
        } catch (const std::exception& error) {
            kind = "refused";
            out = error.what();
        }
        std::cout << kind << ' ' << out.size() << '\n' << out << std::flush;
    }
}
