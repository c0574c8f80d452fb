#define BOOST_TEST_MODULE repose
#include <boost/test/unit_test.hpp>
